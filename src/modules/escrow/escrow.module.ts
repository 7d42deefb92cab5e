import { Module } from '@nestjs/common';
import { TasksModule } from '../tasks/tasks.module.js';
import { BlockSource } from './indexer/block-source.js';
import { ChainIdentity } from './indexer/chain-identity.js';
import { IndexStore } from './indexer/index-store.js';
import { IndexWriter } from './indexer/index-writer.js';
import { IndexerGauges } from './indexer/indexer-gauges.js';
import { IndexerStatus } from './indexer/indexer-status.js';
import { IndexerRunner } from './indexer/indexer.runner.js';
import { IndexerService } from './indexer/indexer.service.js';
import { Participants } from './indexer/participants.js';
import { TreePublisher } from './indexer/publish-tree.js';
import { Reorg } from './indexer/reorg.js';
import { RunnerLock } from './indexer/runner-lock.js';
import { NodeAccess } from './node-access.js';
import { NodesController } from './nodes.controller.js';
import { NodesService } from './nodes.service.js';

@Module({
  imports: [TasksModule],
  controllers: [NodesController],
  providers: [
    NodesService,
    NodeAccess,
    ChainIdentity,
    IndexStore,
    BlockSource,
    Reorg,
    Participants,
    TreePublisher,
    IndexWriter,
    IndexerService,
    IndexerStatus,
    IndexerGauges,
    RunnerLock,
    IndexerRunner,
  ],
  exports: [NodeAccess, IndexerStatus],
})
export class EscrowModule {}
