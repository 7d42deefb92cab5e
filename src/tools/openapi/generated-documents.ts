import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../app.module.js';
import { createHttpAdapter, describeApp, useUriVersions } from '../../app.setup.js';
import { createAsyncApiDocument } from '../../openapi/asyncapi-document.js';
import { Environment } from '../../platform/config/environment.js';

/** Where the committed document says the service is; a running service names its own base URL. */
const DOCUMENT_BASE_URL = 'https://tasktree.example';

/** The committed documents, by file name. */
export interface GeneratedDocuments {
  readonly 'openapi.json': string;
  readonly 'asyncapi.json': string;
}

/** Makes both documents. Nest's preview mode makes no provider, so neither database nor chain is asked. */
export async function generateDocuments(): Promise<GeneratedDocuments> {
  const environment = Object.assign(new Environment(), {
    databaseUrl: 'postgres://none/none',
    rpcUrl: 'http://none',
    baseUrl: DOCUMENT_BASE_URL,
    escrowFactoryAddress: `0x${'0'.repeat(40)}`,
    appSecret: '-'.repeat(32),
    chainId: 1,
  });
  const app = await NestFactory.create(AppModule.register(environment), createHttpAdapter(environment), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  useUriVersions(app);
  const openapi = describeApp(app, environment);
  return {
    'openapi.json': textOf(openapi),
    'asyncapi.json': textOf(createAsyncApiDocument(openapi, environment.baseUrl)),
  };
}

function textOf(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
