export { type AccountCall, encodeAccountCalls } from './abi/account-calls.js';
export {
  actionIdHash,
  checksumAddress,
  type EscrowAddressParts,
  predictEscrowAddress,
  readAddressText,
  treeIdOf,
} from './abi/addresses.js';
export {
  codeHash,
  type DeployedCode,
  type DeploymentAddresses,
  deployedCode,
  withImmutables,
} from './deployment/deployed-code.js';
export { CREATE2_DEPLOYER, type DeploymentPlan, deploymentPlan } from './deployment/deployment-plan.js';
export { decodeFact, FACT_TOPICS } from './abi/decode.js';
export {
  type ActionAuth,
  type ContractCall,
  contractCall,
  encodeAbandonNode,
  encodeAgreeSplit,
  encodeClaimNonDelivery,
  encodeCreateTree,
  encodeDeliver,
  encodeDisputeNode,
  encodeFinalize,
  encodeFundTask,
  encodeInvalidateNonces,
  encodeMulticall,
  encodeRejectTask,
  encodeResolveTask,
  encodeRuleDispute,
  encodeSubcontract,
  encodeTokenApprove,
  encodeTokenTransfer,
  encodeWithdrawEarnings,
  encodeWithdrawRefund,
  type Funding,
  senderAuth,
} from './abi/encode.js';
export {
  type EscrowFact,
  type EscrowFactOf,
  type EscrowFactType,
  type FactJson,
  factFromJson,
  factToJson,
} from './tree/escrow-events.js';
export { localUsdcAbi, localUsdcBytecode } from './generated/local-usdc.js';
export { taskEscrowFactoryAbi, taskEscrowFactoryBytecode } from './generated/task-escrow-factory.js';
export { taskEscrowAbi } from './generated/task-escrow.js';
export {
  MIN_WORK_SECONDS,
  type NodeActionFacts,
  type PossibleAction,
  possibleActions,
} from './lifecycle/lifecycle-actions.js';
export { emptyTree } from './lifecycle/reference-model-state.js';
export type {
  ModelAuth,
  ModelCall,
  ModelNode,
  ModelTerms,
  ModelTree,
  StepResult,
} from './lifecycle/lifecycle-calls.js';
export { nodeActionFacts, step } from './lifecycle/lifecycle-model.js';
export {
  NODE_TRANSITIONS,
  type NodeAction,
  type NodeRole,
  type TransitionRow,
} from './lifecycle/node-state-machine.js';
export { isWithdrawalNonce, nodeNonce, NonceBitmapWord, readNodeNonce } from './abi/nonce-bitmap.js';
export { backersAmong, effectiveState, isClosedByAncestor, wireState, withdrawableOf } from './tree/node-clock.js';
export {
  FundingMode,
  GIVEN_BACK_STATES,
  LIVE_STATES,
  NodeState,
  Outcome,
  type WireNodeState,
  wireNodeState,
  type WireOutcome,
  wireOutcome,
} from './tree/node-states.js';
export { type FinalSettlement, finalSettlements } from './tree/final-settlements.js';
export {
  type DecodedRevert,
  decodeRevert,
  decodeSkippedCall,
  type RevertValue,
  type SkippedCall,
} from './abi/reverts.js';
export { decidingRoot, type TaskStatus, taskStatusOf } from './tree/task-status.js';
export { addressTopic, decodeTokenTransfer, type TokenTransfer, TRANSFER_TOPIC } from './abi/token-transfers.js';
export { byChainOrder } from './tree/chain-order.js';
export { followTree, projectTree } from './tree/project-tree.js';
export { InconsistentFactsError } from './tree/tree-fold.js';
export type {
  ChainedFact,
  ConsumedAction,
  FactRef,
  InvalidatedNonces,
  TreeDelivery,
  TreeLedger,
  TreeNode,
  TreeProjection,
  TreeRefund,
  TreeSettlement,
  TreeWithdrawal,
} from './tree/tree-projection.types.js';
export type { TreeStep } from './tree/tree-step.types.js';
export {
  type ActionFields,
  ESCROW_DOMAIN_NAME,
  ESCROW_DOMAIN_VERSION,
  ESCROW_TYPES,
  type EscrowMessages,
  type EscrowPrimaryType,
  type NodeTerms,
  USDC_TYPES,
  type UsdcMessages,
  type UsdcPrimaryType,
} from '#libs/prepared-action';
export {
  domainSeparator,
  type EscrowDomain,
  escrowTypedData,
  type TokenDomain,
  type TypedData,
  typedDataDigest,
  typedDataStructHash,
  type TypedMessage,
  usdcTypedData,
} from './abi/typed-data.js';
export {
  decodeUndeployedWalletCheck,
  encodeUndeployedWalletCheck,
  readUndeployedWalletSignature,
  type UndeployedWalletSignature,
} from './abi/undeployed-wallet.js';
export {
  decodeAmountResult,
  decodeEscrowOfResult,
  decodeNodeResult,
  decodeNonceBitmapResult,
  decodeNonceUsedResult,
  decodeTokenDomainResult,
  encodeAllowanceCall,
  encodeBalanceOfCall,
  encodeEscrowOfCall,
  encodeNodeCall,
  encodeNonceBitmapCall,
  encodeNonceUsedCall,
  encodePermitNonceCall,
  encodeRefundOfCall,
  encodeWithdrawableCall,
  encodeTokenDomainCall,
  type StoredNode,
  type TokenDomainView,
} from './abi/views.js';
