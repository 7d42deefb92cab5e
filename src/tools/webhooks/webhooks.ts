import 'reflect-metadata';
import { runOperatorTool } from '../operator-tool.js';
import { parseWebhooksArguments, WEBHOOKS_USAGE } from './webhooks-arguments.js';
import { WebhooksCommands } from './webhooks-commands.js';

/** `npm run webhooks -- …`: shows webhook endpoints, ends deliveries to one, and has events sent again. */
void runOperatorTool(
  {
    usage: WEBHOOKS_USAGE,
    parse: parseWebhooksArguments,
    run: (command, dataSource, environment) => new WebhooksCommands(dataSource, environment).run(command),
  },
  process.argv.slice(2),
);
