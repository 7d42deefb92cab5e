import { AgentEntity } from './modules/agents/agent/agent.entity.js';
import { AgentEndpointEntity } from './modules/agents/card/agent-endpoint.entity.js';
import { AgentWordEntity } from './modules/agents/search/agent-word.entity.js';
import { ArtifactCustodyEntity } from './modules/artifacts/custody/artifact-custody.entity.js';
import { AccountEntity } from './modules/accounts/account.entity.js';
import { ApiKeyEntity } from './modules/credentials/api-keys/api-key.entity.js';
import { SpendPolicyEntity } from './modules/credentials/spending/spend-policy.entity.js';
import { AuditCountEntity } from './modules/accounts/audit/audit-count.entity.js';
import { AuditEventEntity } from './modules/accounts/audit/audit-event.entity.js';
import { DpopProofEntity } from './modules/credentials/access-tokens/dpop-proof.entity.js';
import { OAuthGrantEntity } from './modules/oauth/storage/oauth-grant.entity.js';
import { OAuthRecordEntity } from './modules/oauth/storage/oauth-record.entity.js';
import { ClientSettingsEntity } from './modules/oauth/registration/client-settings.entity.js';
import { SigningKeyEntity } from './modules/oauth/storage/signing-key.entity.js';
import { BrowserSessionEntity } from './modules/accounts/browser-session.entity.js';
import { WalletChallengeEntity } from './modules/sign-in/wallet-challenge.entity.js';
import { AccountWalletEntity } from './modules/accounts/wallets/account-wallet.entity.js';
import { AgentIdentityEntity } from './modules/identities/link/agent-identity.entity.js';
import { DeliveryEntity } from './modules/deliveries/delivery.entity.js';
import { RejectionReasonEntity } from './modules/deliveries/rejection-reason.entity.js';
import { AccountEarningsEntity } from './modules/earnings/sums/account-earnings.entity.js';
import { NodeEarningsEntity } from './modules/earnings/sums/node-earnings.entity.js';
import { TaskEarningsEntity } from './modules/earnings/sums/task-earnings.entity.js';
import { EscrowNodeEntity } from './modules/escrow/node/escrow-node.entity.js';
import { ChainRollbackEntity } from './modules/escrow/told/chain-rollback.entity.js';
import { ToldDeadlineEntity } from './modules/escrow/told/told-deadline.entity.js';
import { ToldTreeEntity } from './modules/escrow/told/told-tree.entity.js';
import { EscrowTreeEntity } from './modules/escrow/escrow-tree.entity.js';
import { ChainBlockEntity } from './modules/escrow/indexed-chain/chain-block.entity.js';
import { ChainFactEntity } from './modules/escrow/indexed-chain/chain-fact.entity.js';
import { ChainIdentityEntity } from './modules/escrow/indexed-chain/chain-identity.entity.js';
import { UnpublishedTreeEntity } from './modules/escrow/publication/unpublished-tree.entity.js';
import { MatchAgentEntity } from './modules/matching/search-tables/agent-search-rows/match-agent.entity.js';
import { MatchAgentsStateEntity } from './modules/matching/search-tables/agent-search-rows/match-agents-state.entity.js';
import { AgentImpressionsEntity } from './modules/matching/pages/agent-impressions.entity.js';
import { MatchBriefPostingEntity } from './modules/matching/search-tables/settled-briefs/match-brief-posting.entity.js';
import { MatchBriefEntity } from './modules/matching/search-tables/settled-briefs/match-brief.entity.js';
import { MatchChangeEntity } from './modules/matching/search-tables/match-change.entity.js';
import { MatchImpressionEntity } from './modules/matching/pages/match-impression.entity.js';
import { MatchSnapshotEntity } from './modules/matching/pages/match-snapshot.entity.js';
import { MatchLengthsEntity } from './modules/matching/search-tables/match-lengths.entity.js';
import { MatchPostingEntity } from './modules/matching/search-tables/match-posting.entity.js';
import { MatchStatisticsEntity } from './modules/matching/search-tables/match-statistics.entity.js';
import { ToldMatchesEntity } from './modules/matching/told-owners/told-matches.entity.js';
import { EventAudienceEntity } from './modules/events/log/event-audience.entity.js';
import { EventHeadEntity } from './modules/events/log/event-head.entity.js';
import { ChainEventEntity } from './modules/events/log/chain-event.entity.js';
import { EventOutboxEntity } from './modules/events/log/event-outbox.entity.js';
import { EventEntity } from './modules/events/log/event.entity.js';
import { MatchTermEntity } from './modules/matching/search-tables/match-term.entity.js';
import { PreparedActionEntity } from './modules/prepared-actions/action/prepared-action.entity.js';
import { SpendReservationEntity } from './modules/prepared-actions/spending/spend-reservation.entity.js';
import { SpentSumEntity } from './modules/prepared-actions/spending/spent-sum.entity.js';
import { WalletNonceEntity } from './modules/prepared-actions/nonces/wallet-nonce.entity.js';
import { QuoteEntity } from './modules/quotes/quote/quote.entity.js';
import { ReceiptEntity } from './modules/receipts/receipt.entity.js';
import { AccountClusterEntity } from './modules/reputation/evidence/account-cluster.entity.js';
import { BuyerEvidenceEntity } from './modules/reputation/evidence/buyer-evidence.entity.js';
import { BuyerIndependenceEntity } from './modules/reputation/evidence/buyer-independence.entity.js';
import { EvidenceChangeEntity } from './modules/reputation/evidence/evidence-change.entity.js';
import { ChangedWalletEntity } from './modules/reputation/evidence/wallets/changed-wallet.entity.js';
import { PayoutEntity } from './modules/reputation/payouts/payout.entity.js';
import { PayoutTransferEntity } from './modules/reputation/payouts/payout-transfer.entity.js';
import { PayoutWalletEntity } from './modules/reputation/payouts/payout-wallet.entity.js';
import { BuyerSumsEntity } from './modules/reputation/records/buyer-sums.entity.js';
import { ReputationRecordEntity } from './modules/reputation/reputation-record.entity.js';
import { TrustRunEntity } from './modules/reputation/runs/batch/trust-run.entity.js';
import { VerifiedBuyerEntity } from './modules/reputation/runs/verified-buyer.entity.js';
import { SettlementEntity } from './modules/reputation/settlements/settlement.entity.js';
import { SigningClaimEntity } from './modules/signing/visits/signing-claim.entity.js';
import { SigningExtraLinkEntity } from './modules/signing/visits/signing-extra-link.entity.js';
import { TaskInvitationEntity } from './modules/tasks/invitations/task-invitation.entity.js';
import { TaskPartyEntity } from './modules/tasks/visibility/task-party.entity.js';
import { TaskEntity } from './modules/tasks/task/task.entity.js';
import { IdempotencyRecordEntity } from './platform/idempotency/idempotency-record.entity.js';
import { RateLimitEntity } from './platform/rate-limit/counters/rate-limit.entity.js';
import { WebhookAttemptEntity } from './modules/webhooks/endpoints/webhook-attempt.entity.js';
import { WebhookEndpointEntity } from './modules/webhooks/endpoints/webhook-endpoint.entity.js';
import { WebhookRetryEntity } from './modules/webhooks/endpoints/webhook-retry.entity.js';
import { WebhookSigningKeyEntity } from './modules/webhooks/signing/webhook-signing-key.entity.js';

/** Every table's entity class, listed so that nothing is found by a file pattern. */
export const entities = [
  AccountEntity,
  ApiKeyEntity,
  SpendPolicyEntity,
  AuditCountEntity,
  AuditEventEntity,
  DpopProofEntity,
  OAuthGrantEntity,
  OAuthRecordEntity,
  ClientSettingsEntity,
  SigningKeyEntity,
  BrowserSessionEntity,
  WalletChallengeEntity,
  AccountWalletEntity,
  AgentEntity,
  AgentEndpointEntity,
  AgentIdentityEntity,
  AgentWordEntity,
  TaskEntity,
  TaskPartyEntity,
  TaskInvitationEntity,
  QuoteEntity,
  EscrowTreeEntity,
  ToldDeadlineEntity,
  ToldTreeEntity,
  ChainRollbackEntity,
  EscrowNodeEntity,
  ChainBlockEntity,
  ChainFactEntity,
  ChainIdentityEntity,
  UnpublishedTreeEntity,
  NodeEarningsEntity,
  TaskEarningsEntity,
  AccountEarningsEntity,
  ArtifactCustodyEntity,
  DeliveryEntity,
  RejectionReasonEntity,
  ReceiptEntity,
  SettlementEntity,
  ReputationRecordEntity,
  BuyerSumsEntity,
  BuyerEvidenceEntity,
  EvidenceChangeEntity,
  ChangedWalletEntity,
  AccountClusterEntity,
  BuyerIndependenceEntity,
  VerifiedBuyerEntity,
  TrustRunEntity,
  PayoutEntity,
  PayoutWalletEntity,
  PayoutTransferEntity,
  MatchTermEntity,
  MatchPostingEntity,
  MatchLengthsEntity,
  MatchStatisticsEntity,
  ToldMatchesEntity,
  MatchBriefEntity,
  MatchBriefPostingEntity,
  MatchImpressionEntity,
  AgentImpressionsEntity,
  MatchAgentEntity,
  MatchAgentsStateEntity,
  MatchChangeEntity,
  MatchSnapshotEntity,
  PreparedActionEntity,
  SpendReservationEntity,
  SpentSumEntity,
  WalletNonceEntity,
  SigningClaimEntity,
  SigningExtraLinkEntity,
  EventOutboxEntity,
  ChainEventEntity,
  EventHeadEntity,
  EventEntity,
  EventAudienceEntity,
  WebhookEndpointEntity,
  WebhookRetryEntity,
  WebhookAttemptEntity,
  WebhookSigningKeyEntity,
  IdempotencyRecordEntity,
  RateLimitEntity,
];
