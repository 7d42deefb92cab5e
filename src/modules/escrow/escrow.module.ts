import { Module } from '@nestjs/common';
import { TasksModule } from '../tasks/tasks.module.js';
import { AncestorsModule } from './ancestors/ancestors.module.js';
import { BlockSource } from './indexed-chain/block-source.js';
import { ChainIdentity } from './indexed-chain/chain-identity.js';
import { ChainTime } from './indexer/chain-time.js';
import { IndexStore } from './indexed-chain/index-store.js';
import { IndexWriter } from './indexer/index-writer.js';
import { IndexerGauges } from './indexer/indexer-gauges.js';
import { IndexerStatus } from './indexed-chain/indexer-status.js';
import { IndexerRunner } from './indexer/indexer.runner.js';
import { IndexerService } from './indexer/indexer.service.js';
import { CommonAncestor } from './indexer/common-ancestor.js';
import { IndexerLock } from './indexer/indexer-lock.js';
import { Participants } from './publication/participants.js';
import { TreePublisher } from './publication/tree-publisher.js';
import { TreesApart } from './publication/trees-apart.js';
import { TreesWaiting } from './publication/trees-waiting.js';
import { UnpublishedTrees } from './publication/unpublished-trees.js';
import { NodeAccess } from './node/node-access.js';
import { NodeReader } from './node-reader.js';
import { NodeAuthority } from './node/node-authority.js';
import { NodeClocksSweeper } from './node/node-clocks.sweeper.js';
import { DeadlinesSweeper } from './told/deadlines.sweeper.js';
import { NodesController } from './nodes.controller.js';
import { NodesService } from './nodes.service.js';
import { TaskDetailController } from './task-detail.controller.js';
import { TaskDetailService } from './task-detail.service.js';

@Module({
  imports: [TasksModule, AncestorsModule],
  controllers: [TaskDetailController, NodesController],
  providers: [
    TaskDetailService,
    NodesService,
    NodeAccess,
    NodeReader,
    NodeAuthority,
    NodeClocksSweeper,
    DeadlinesSweeper,
    ChainIdentity,
    ChainTime,
    IndexStore,
    BlockSource,
    CommonAncestor,
    Participants,
    TreePublisher,
    UnpublishedTrees,
    TreesApart,
    TreesWaiting,
    IndexWriter,
    IndexerService,
    IndexerStatus,
    IndexerGauges,
    IndexerLock,
    IndexerRunner,
  ],
  exports: [NodeAccess, NodeReader, NodeAuthority, IndexerStatus],
})
export class EscrowModule {}
