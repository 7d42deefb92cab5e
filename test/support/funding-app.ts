import { Test, type TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { CredentialChallenge } from '../../src/modules/auth/credential-challenge.js';
import { ScopeCheck } from '../../src/modules/auth/scope-check.js';
import { NodeAccess } from '../../src/modules/escrow/node-access.js';
import { ActionHistory } from '../../src/modules/prepared-actions/action-history.js';
import { ActionPreflight } from '../../src/modules/prepared-actions/action-preflight.js';
import { ActionsService } from '../../src/modules/prepared-actions/actions.service.js';
import { FundingSources } from '../../src/modules/prepared-actions/funding-sources.js';
import { KindRegistry } from '../../src/modules/prepared-actions/kind-registry.js';
import { FundTask } from '../../src/modules/prepared-actions/kinds/fund-task.js';
import { Subcontract } from '../../src/modules/prepared-actions/kinds/subcontract.js';
import { PreparedActionsService } from '../../src/modules/prepared-actions/prepared-actions.service.js';
import { SigningLinks } from '../../src/modules/prepared-actions/signing-links.js';
import { SubmissionsService } from '../../src/modules/prepared-actions/submissions.service.js';
import { TreeBundle } from '../../src/modules/prepared-actions/tree-bundle.js';
import { WalletNonces } from '../../src/modules/prepared-actions/wallet-nonces.js';
import { TaskAccess } from '../../src/modules/tasks/task-access.js';
import { TaskStore } from '../../src/modules/tasks/task-store.js';
import { ChainClient } from '../../src/platform/chain/chain-client.js';
import { ChainConfig } from '../../src/platform/chain/chain-config.js';
import { RpcEndpoint } from '../../src/platform/chain/rpc-endpoint.js';
import { UsdcToken } from '../../src/platform/chain/usdc-token.js';
import { WalletSignatures } from '../../src/platform/chain/wallet-signatures.js';
import { Environment } from '../../src/platform/config/environment.js';
import { Transactions } from '../../src/platform/database/transactions.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { Sealer } from '../../src/platform/secrets/sealer.js';
import { Clock } from '../../src/platform/time/clock.js';

const KINDS = [FundTask, Subcontract];
const PREPARING = [PreparedActionsService, ActionPreflight, WalletNonces, SigningLinks, FundingSources, TreeBundle];
const READING_BACK = [ActionsService, SubmissionsService, ActionHistory, ScopeCheck, CredentialChallenge];
const ROWS = [Transactions, TaskAccess, TaskStore, NodeAccess];
const PLATFORM = [ChainClient, RpcEndpoint, UsdcToken, WalletSignatures, Metrics, Sealer];

/** What prepares payments and takes their signatures, without HTTP and without the other kinds. */
export function fundingApp(
  environment: Environment,
  { dataSource, clock }: { dataSource: DataSource; clock: Clock },
): Promise<TestingModule> {
  return Test.createTestingModule({
    providers: [
      ...KINDS,
      ...PREPARING,
      ...READING_BACK,
      ...ROWS,
      ...PLATFORM,
      { provide: Environment, useValue: environment },
      { provide: DataSource, useValue: dataSource },
      { provide: Clock, useValue: clock },
      {
        provide: ChainConfig,
        inject: [ChainClient],
        useFactory: (client: ChainClient) => ChainConfig.read(client, environment),
      },
      {
        provide: KindRegistry,
        inject: KINDS,
        useFactory: (fund: FundTask, hire: Subcontract) => ({
          of: (kind: string) => ({ fund_task: fund, subcontract: hire })[kind],
        }),
      },
    ],
  }).compile();
}
