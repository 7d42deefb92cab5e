import {
  type ActionAuth,
  type ActionFields,
  actionIdHash,
  type ContractCall,
  contractCall,
  encodeTokenApprove,
  type Funding,
  FundingMode,
  senderAuth,
  type TokenDomain,
  type TypedData,
  typedDataDigest,
  usdcTypedData,
} from '#libs/contracts';
import { type Hex, isHex } from '#libs/kernel';
import type { ActionDetails } from '../action/action-details.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import { actionFieldsOf, messageOf, readUint } from '../payload/typed-message.js';

/**
 * The ways to bring money in from a wallet, by their names on the wire (docs/decisions/escrow.md#signed-actions,
 * `fund_task`):
 *
 * | mode             | what the wallet signs                        | what it takes besides                            |
 * |------------------|----------------------------------------------|--------------------------------------------------|
 * | `authorization`  | the token's `ReceiveWithAuthorization`       | nothing: anyone sends the signed call            |
 * | `permit`         | the token's `Permit`                         | the wallet itself sends the call                 |
 * | `allowance`      | the escrow's own action                      | an allowance; or the wallet sends all by itself  |
 * | `refund_balance` | the escrow's own action                      | money that came back to the wallet in this tree  |
 */
export const FUNDING_MODES = ['authorization', 'permit', 'allowance', 'refund_balance'] as const;
export type FundingModeName = (typeof FUNDING_MODES)[number];

/** Where the money of a node can come from; no request names `parent_node`, it follows from the quote. */
export type SourceName = FundingModeName | 'parent_node';

const CONTRACT_MODES: Readonly<Record<SourceName, FundingMode>> = {
  authorization: FundingMode.Authorization3009,
  permit: FundingMode.Permit,
  allowance: FundingMode.Allowance,
  refund_balance: FundingMode.RefundBalance,
  parent_node: FundingMode.ParentNode,
};

/** A payment for a node of a tree. */
export interface Payment {
  /** EIP-55 of the escrow, which need not be deployed. */
  readonly escrowAddress: Hex;
  /** EIP-55 of the wallet that pays. */
  readonly payer: Hex;
  /** Base units. */
  readonly amount: bigint;
}

/** What the chain knew of payer and token when the source was chosen. */
export interface PayerStanding {
  readonly tokenDomain: TokenDomain;
  /** Base units that the escrow may take of the payer's money. */
  readonly allowance: bigint;
  readonly permitNonce: bigint;
}

/** What a wallet signs; with a payment by the token's own message also the escrow's action that it is for. */
export interface PaymentTypedData extends TypedData {
  /**
   * The escrow's own action that the payment is for: with an EIP-3009 payment its digest is the `nonce`, with a permit the
   * call that the wallet itself sends must carry these very terms.
   */
  authorizes?: TypedData;
}

/** One payment by one source: what the wallet signs for it, and which calls make it. Only computes. */
export class FundingSource {
  constructor(
    readonly name: SourceName,
    private readonly payment: Payment,
    private readonly standing: PayerStanding,
    /** Nodes that must be finalized first, because the payment is made of what time has sent back from them. */
    readonly unwritten: readonly bigint[] = [],
  ) {}

  /** The escrow's argument for the payment when the payer itself sends the call. */
  get funding(): Funding {
    return { mode: CONTRACT_MODES[this.name] };
  }

  /**
   * The escrow's argument for trying the call without a signature. Where the token would check a signature, an allowance
   * stands in for it: the escrow makes all its checks before the token finds that the allowance is missing.
   */
  get trialFunding(): Funding {
    return { mode: this.isBySignatureAlone ? FundingMode.Allowance : CONTRACT_MODES[this.name] };
  }

  /** True when the direct call alone would go through now. */
  get isReady(): boolean {
    return !this.isBySignatureAlone && !this.needsApproval;
  }

  /**
   * What the wallet signs, given the escrow's own action that the money is for. The token's authorization has the digest
   * of that action as its nonce, so that one signature pays and authorizes; the action is included for verifying that.
   * A permit does not name the terms, so without the action nobody could compare them with those of the call.
   */
  typedData(action: TypedData, { validUntil }: ActionFields): PaymentTypedData {
    const { payer, escrowAddress, amount } = this.payment;
    const { tokenDomain, permitNonce } = this.standing;
    switch (this.name) {
      case 'authorization':
        return {
          ...usdcTypedData('ReceiveWithAuthorization', tokenDomain, {
            from: payer,
            to: escrowAddress,
            value: amount,
            validAfter: 0n,
            // The token's bound is the first second that is too late, the action's the last one in time.
            validBefore: validUntil + 1n,
            nonce: typedDataDigest(action),
          }),
          authorizes: action,
        };
      case 'permit':
        return {
          ...usdcTypedData('Permit', tokenDomain, {
            owner: payer,
            spender: escrowAddress,
            value: amount,
            nonce: permitNonce,
            deadline: validUntil,
          }),
          authorizes: action,
        };
      case 'allowance':
      case 'refund_balance':
      case 'parent_node':
        return action;
    }
  }

  /** What the payer itself sends: `calls`, after an approval where that is missing; nothing where it must sign. */
  directCalls(calls: readonly ContractCall[]): readonly ContractCall[] {
    if (this.isBySignatureAlone) return [];
    if (!this.needsApproval) return calls;
    const { escrowAddress, amount } = this.payment;
    return [contractCall(this.standing.tokenDomain.tokenAddress, encodeTokenApprove(escrowAddress, amount)), ...calls];
  }

  private get isBySignatureAlone(): boolean {
    return this.name === 'authorization' || this.name === 'permit';
  }

  private get needsApproval(): boolean {
    return this.name === 'allowance' && this.standing.allowance < this.payment.amount;
  }
}

/** The arguments that a signed payment gives to a call of the escrow. */
export interface SignedFunding {
  readonly auth: ActionAuth;
  readonly funding: Funding;
  /** The only wallet that may send the call; null: anyone. */
  readonly sender: Hex | null;
}

/**
 * Rebuilds the escrow's arguments from a stored action and the signature over its payload. The token's messages do not
 * carry the action's own fields, so they come from the row. Throws TypeError when the action is not a payment.
 */
export function signedFunding(action: PreparedActionEntity, signature: Hex): SignedFunding {
  const name = sourceNameOf(action.details);
  const mode = CONTRACT_MODES[name];
  const message = messageOf(action.payload);
  switch (name) {
    case 'authorization':
      return {
        auth: { ...fieldsOfRow(action, readUint(message, 'validBefore') - 1n), signature },
        funding: { mode },
        sender: null,
      };
    case 'permit':
      return {
        auth: senderAuth(fieldsOfRow(action, readUint(message, 'deadline'))),
        funding: { mode, permit: signature },
        sender: hexOf(action.walletAddress),
      };
    case 'allowance':
    case 'refund_balance':
    case 'parent_node':
      return { auth: { ...actionFieldsOf(message), signature }, funding: { mode }, sender: null };
  }
}

function sourceNameOf({ funding_mode: stored }: ActionDetails): SourceName {
  if (typeof stored === 'string' && isSourceName(stored)) return stored;
  throw new TypeError('The action does not say where its money comes from');
}

function isSourceName(text: string): text is SourceName {
  return Object.hasOwn(CONTRACT_MODES, text);
}

function fieldsOfRow({ id, requestDigest, nonce }: PreparedActionEntity, validUntil: bigint): ActionFields {
  return { actionId: actionIdHash(id), requestDigest: hexOf(requestDigest), nonce, validUntil };
}

function hexOf(text: string): Hex {
  if (!isHex(text)) throw new TypeError('The action holds no hexadecimal text where it should');
  return text;
}
