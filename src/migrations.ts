import { Initial1700000000000 } from './migrations/1700000000000-initial.js';
import { Artifacts1700000000001 } from './migrations/1700000000001-artifacts.js';
import { Agents1700000000002 } from './migrations/1700000000002-agents.js';
import { ActionSubmissions1700000000003 } from './migrations/1700000000003-action-submissions.js';
import { TaskLifecycle1700000000004 } from './migrations/1700000000004-task-lifecycle.js';
import { Deliveries1700000000005 } from './migrations/1700000000005-deliveries.js';
import { OAuth1700000000006 } from './migrations/1700000000006-oauth.js';
import { ReturnedMoney1700000000007 } from './migrations/1700000000007-returned-money.js';
import { Trust1700000000008 } from './migrations/1700000000008-trust.js';
import { Matching1700000000009 } from './migrations/1700000000009-matching.js';
import { Approval1700000000010 } from './migrations/1700000000010-approval.js';
import { MatchFacts1700000000011 } from './migrations/1700000000011-match-facts.js';
import { CapabilityWords1700000000012 } from './migrations/1700000000012-capability-words.js';
import { MatchAgents1700000000013 } from './migrations/1700000000013-match-agents.js';
import { SettledAgents1700000000014 } from './migrations/1700000000014-settled-agents.js';
import { TrustNotes1700000000015 } from './migrations/1700000000015-trust-notes.js';
import { ImpactsAnew1700000000016 } from './migrations/1700000000016-impacts-anew.js';
import { DeclinedBy1700000000017 } from './migrations/1700000000017-declined-by.js';
import { StorageBounds1700000000018 } from './migrations/1700000000018-storage-bounds.js';
import { AuditBounds1700000000019 } from './migrations/1700000000019-audit-bounds.js';
import { WalletConfirmations1700000000020 } from './migrations/1700000000020-wallet-confirmations.js';
import { ClientSettings1700000000021 } from './migrations/1700000000021-client-settings.js';
import { TaskInvitations1700000000022 } from './migrations/1700000000022-task-invitations.js';
import { Moderation1700000000023 } from './migrations/1700000000023-moderation.js';
import { ActionKinds1700000000024 } from './migrations/1700000000024-action-kinds.js';
import { ListIndexes1700000000027 } from './migrations/1700000000027-list-indexes.js';
import { UnpublishedTrees1700000000030 } from './migrations/1700000000030-unpublished-trees.js';
import { EarningsSums1700000000033 } from './migrations/1700000000033-earnings-sums.js';
import { PairSums1700000000034 } from './migrations/1700000000034-pair-sums.js';
import { AuditPartitions1700000000036 } from './migrations/1700000000036-audit-partitions.js';
import { EndedImpressions1700000000053 } from './migrations/1700000000053-ended-impressions.js';
import { AgentWords1700000000054 } from './migrations/1700000000054-agent-words.js';
import { WordsOfAgents1700000000055 } from './migrations/1700000000055-words-of-agents.js';
import { AgentsOfOwners1700000000056 } from './migrations/1700000000056-agents-of-owners.js';
import { BuyerSums1700000000057 } from './migrations/1700000000057-buyer-sums.js';
import { SnapshotWords1700000000060 } from './migrations/1700000000060-snapshot-words.js';
import { TreeMarks1700000000061 } from './migrations/1700000000061-tree-marks.js';
import { ListDocuments1700000000062 } from './migrations/1700000000062-list-documents.js';
import { QuoteSignUntil1700000000070 } from './migrations/1700000000070-quote-sign-until.js';
import { EarningsDocuments1700000000080 } from './migrations/1700000000080-earnings-documents.js';
import { NodeClocks1700000000081 } from './migrations/1700000000081-node-clocks.js';
import { SecondEdition1700000000090 } from './migrations/1700000000090-second-edition.js';
import { OwnLists1700000000091 } from './migrations/1700000000091-own-lists.js';
import { EventLog1700000000092 } from './migrations/1700000000092-event-log.js';
import { EventAudienceBySequence1700000000093 } from './migrations/1700000000093-event-audience-by-sequence.js';
import { ChainEvents1700000000094 } from './migrations/1700000000094-chain-events.js';
import { Webhooks1700000000095 } from './migrations/1700000000095-webhooks.js';
import { FollowedActions1700000000096 } from './migrations/1700000000096-followed-actions.js';
import { WebhookDisabledAt1700000000098 } from './migrations/1700000000098-webhook-disabled-at.js';
import { ToldDeadlines1700000000099 } from './migrations/1700000000099-told-deadlines.js';
import { ToldMatches1700000000100 } from './migrations/1700000000100-told-matches.js';
import { SpendPolicies1700000000101 } from './migrations/1700000000101-spend-policies.js';
import { AgentEndpoints1700000000102 } from './migrations/1700000000102-agent-endpoints.js';
import { AgentIdentities1700000000103 } from './migrations/1700000000103-agent-identities.js';
import { OutboxBlocks1700000000104 } from './migrations/1700000000104-outbox-blocks.js';
import { EndpointLooks1700000000105 } from './migrations/1700000000105-endpoint-looks.js';
import { HintedActions1700000000106 } from './migrations/1700000000106-hinted-actions.js';
import { NonceFacts1700000000107 } from './migrations/1700000000107-nonce-facts.js';
import { ActionHashes1700000000110 } from './migrations/1700000000110-action-hashes.js';
import { KnownContracts1700000000112 } from './migrations/1700000000112-known-contracts.js';
import { RowsOfAccounts1700000000114 } from './migrations/1700000000114-rows-of-accounts.js';
import { RecordOutcomes1700000000116 } from './migrations/1700000000116-record-outcomes.js';
import { ProvedWallets1700000000117 } from './migrations/1700000000117-proved-wallets.js';
import { PartiesAtWork1700000000120 } from './migrations/1700000000120-parties-at-work.js';
import { LookOrder1700000000121 } from './migrations/1700000000121-look-order.js';
import { SecondTransactions1700000000122 } from './migrations/1700000000122-second-transactions.js';
import { SearchedBriefs1700000000124 } from './migrations/1700000000124-searched-briefs.js';
import { ChangedWallets1700000000125 } from './migrations/1700000000125-changed-wallets.js';
import { WaitingEvents1700000000126 } from './migrations/1700000000126-waiting-events.js';
import { OneUnusedLink1700000000127 } from './migrations/1700000000127-one-unused-link.js';

/** Every migration in order, listed so that nothing is found by a file pattern. */
export const migrations = [
  Initial1700000000000,
  Artifacts1700000000001,
  Agents1700000000002,
  ActionSubmissions1700000000003,
  TaskLifecycle1700000000004,
  Deliveries1700000000005,
  OAuth1700000000006,
  ReturnedMoney1700000000007,
  Trust1700000000008,
  Matching1700000000009,
  Approval1700000000010,
  MatchFacts1700000000011,
  CapabilityWords1700000000012,
  MatchAgents1700000000013,
  SettledAgents1700000000014,
  TrustNotes1700000000015,
  ImpactsAnew1700000000016,
  DeclinedBy1700000000017,
  StorageBounds1700000000018,
  AuditBounds1700000000019,
  WalletConfirmations1700000000020,
  ClientSettings1700000000021,
  TaskInvitations1700000000022,
  Moderation1700000000023,
  ActionKinds1700000000024,
  ListIndexes1700000000027,
  UnpublishedTrees1700000000030,
  EarningsSums1700000000033,
  PairSums1700000000034,
  AuditPartitions1700000000036,
  EndedImpressions1700000000053,
  AgentWords1700000000054,
  WordsOfAgents1700000000055,
  AgentsOfOwners1700000000056,
  BuyerSums1700000000057,
  SnapshotWords1700000000060,
  TreeMarks1700000000061,
  ListDocuments1700000000062,
  QuoteSignUntil1700000000070,
  EarningsDocuments1700000000080,
  NodeClocks1700000000081,
  SecondEdition1700000000090,
  OwnLists1700000000091,
  EventLog1700000000092,
  EventAudienceBySequence1700000000093,
  ChainEvents1700000000094,
  Webhooks1700000000095,
  FollowedActions1700000000096,
  WebhookDisabledAt1700000000098,
  ToldDeadlines1700000000099,
  ToldMatches1700000000100,
  SpendPolicies1700000000101,
  AgentEndpoints1700000000102,
  AgentIdentities1700000000103,
  OutboxBlocks1700000000104,
  EndpointLooks1700000000105,
  HintedActions1700000000106,
  NonceFacts1700000000107,
  ActionHashes1700000000110,
  KnownContracts1700000000112,
  RowsOfAccounts1700000000114,
  RecordOutcomes1700000000116,
  ProvedWallets1700000000117,
  PartiesAtWork1700000000120,
  LookOrder1700000000121,
  SecondTransactions1700000000122,
  SearchedBriefs1700000000124,
  ChangedWallets1700000000125,
  WaitingEvents1700000000126,
  OneUnusedLink1700000000127,
];
