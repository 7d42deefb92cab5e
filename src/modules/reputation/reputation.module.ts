import { Module } from '@nestjs/common';
import { AgentReputationController } from './agent-reputation.controller.js';
import { AgentReputationService } from './agent-reputation.service.js';
import { PayoutProjection } from './payouts/payout.projection.js';
import { PayoutScan } from './payouts/payout-scan.js';
import { ReputationController } from './reputation.controller.js';
import { ReputationListService } from './reputation-list.service.js';
import { ReputationProjection } from './reputation.projection.js';
import { ReputationService } from './reputation.service.js';
import { TrustGauges } from './runs/trust-gauges.js';
import { TrustRunner } from './runs/trust.runner.js';
import { TrustRuns } from './runs/trust-runs.js';
import { TrustStatus } from './runs/trust-status.js';
import { TrustThread } from './runs/trust-thread.js';

@Module({
  controllers: [ReputationController, AgentReputationController],
  providers: [
    ReputationService,
    ReputationListService,
    AgentReputationService,
    ReputationProjection,
    PayoutProjection,
    PayoutScan,
    TrustRuns,
    TrustRunner,
    TrustThread,
    TrustStatus,
    TrustGauges,
  ],
})
export class ReputationModule {}
