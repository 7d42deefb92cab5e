import type { INestApplication, Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer, NestFactory } from '@nestjs/core';
import { AppModule } from '../../src/app.module.js';
import { createHttpAdapter } from '../../src/app.setup.js';
import { Environment } from '../../src/platform/config/environment.js';

/** The whole application as metadata. No provider is instantiated, so it needs neither database nor chain. */
export function previewApp(): Promise<INestApplication> {
  const environment = Object.assign(new Environment(), {
    databaseUrl: 'postgres://none/none',
    rpcUrl: 'http://none',
    baseUrl: 'https://tasktree.example',
    escrowFactoryAddress: `0x${'0'.repeat(40)}`,
    appSecret: '-'.repeat(32),
    chainId: 1,
  });
  return NestFactory.create(AppModule.register(environment), createHttpAdapter(environment), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
}

export interface RouteHandler {
  /** `TasksController.listTasks` */
  name: string;
  method: string;
  controller: Type<object>;
  handler: (...values: unknown[]) => unknown;
}

/** Every controller method that is a route. */
export function routeHandlers(app: INestApplication): RouteHandler[] {
  const scanner = new MetadataScanner();
  return [...app.get(ModulesContainer).values()]
    .flatMap((module) => [...module.controllers.values()])
    .flatMap(({ metatype }) => {
      const controller = metatype as Type<object>;
      return scanner
        .getAllMethodNames(controller.prototype)
        .map((method) => ({
          name: `${controller.name}.${method}`,
          method,
          controller,
          handler: controller.prototype[method as keyof object] as RouteHandler['handler'],
        }))
        .filter(({ handler }) => Reflect.hasMetadata(PATH_METADATA, handler));
    });
}
