import { Module } from '@nestjs/common';
import { EscrowModule } from '../escrow/escrow.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { ActionHistory } from './action-history.js';
import { ActionPreflight } from './action-preflight.js';
import { ActionsController } from './actions.controller.js';
import { ActionsService } from './actions.service.js';
import { IntentsController } from './intents.controller.js';
import { KindRegistry, KINDS } from './kind-registry.js';
import { PreparedActionsService } from './prepared-actions.service.js';
import { SigningController } from './signing.controller.js';
import { SigningLinks } from './signing-links.js';
import { SigningPagesService } from './signing-pages.service.js';
import { WalletNonces } from './wallet-nonces.js';

@Module({
  imports: [TasksModule, EscrowModule],
  controllers: [IntentsController, ActionsController, SigningController],
  providers: [
    PreparedActionsService,
    ActionsService,
    SigningPagesService,
    ActionHistory,
    ActionPreflight,
    SigningLinks,
    WalletNonces,
    KindRegistry,
    ...Object.values(KINDS),
  ],
  exports: [PreparedActionsService, WalletNonces],
})
export class PreparedActionsModule {}
