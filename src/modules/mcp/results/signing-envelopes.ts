import { Injectable } from '@nestjs/common';
import {
  type ActionKind,
  type ChainReading,
  describeAction,
  type Intent,
  matchCode,
  hashTypedData,
  type PreparedAction,
  usdcText,
  verifyPreparedAction,
} from '#libs/prepared-action';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { ApprovalDeployments } from '../../signing/approval/approval-deployment.js';
import { leftText } from '../../signing/pages/approval-copy.js';
import { ServiceReadings } from '../../signing/approval/service-readings.js';
import { isObject, type JsonObject, objectIn, textIn } from '../operations/json-value.js';
import type { SigningEnvelope } from './signing-envelope.js';

/** What a tool was asked to prepare, from its own arguments and not from the answer. */
export interface AskedAction {
  kind: ActionKind;
  accountId: string;
  /** Wallet that must be the one that signs; absent: a worker's agent may have a wallet of its own. */
  wallet?: string;
  /** Arguments that stand in the operation's path. */
  inPath: JsonObject;
  /** Absent: the request had none. */
  body?: JsonObject;
}

/** Checks that fail in the course of time as well: of an action of an earlier call, or one that the chain has overtaken. */
const PASSING: ReadonlySet<string> = new Set(['expiry', 'state']);

/** Checks prepared actions as a client does before it shows them, and makes what a model is told of them. */
@Injectable()
export class SigningEnvelopes {
  constructor(
    private readonly deployments: ApprovalDeployments,
    private readonly readings: ServiceReadings,
    private readonly clock: Clock,
  ) {}

  /**
   * The envelope of an action that the interface has answered.
   * @throws ApiError `internal_error` when the action is not what was asked for, `state_conflict` when it was, and its time
   * is over: its link is then shown to nobody.
   */
  async of(answer: JsonObject, asked: AskedAction): Promise<SigningEnvelope> {
    const action = preparedAction(answer);
    const intent = intentOf(asked);
    const reading = await this.readings.of(action, intent);
    const checks = verifyPreparedAction(answer, intent, this.contextWith(reading));
    const faults = checks.filter(({ status }) => status === 'failed');
    const fault = faults.find(({ name }) => !PASSING.has(name));
    const description = describeAction(action, { nowMs: this.clock.nowMs() });
    if (fault !== undefined || description === null) {
      throw new ApiError(
        'internal_error',
        `The prepared action is not what was asked for (${fault?.name ?? 'kind'}); its link is withheld.`,
        'Do not sign it. Tell the operator.',
      );
    }
    const [late] = faults;
    if (late !== undefined) {
      throw new ApiError(
        'state_conflict',
        `The action ${action.action_id} cannot be signed any more. ${late.detail}`,
        'get_action says what has become of it.',
      );
    }
    const amount = amountIn(action.payload);
    return {
      action_id: action.action_id,
      kind: action.kind,
      summary: [description.sentence, ...leftOf(answer)].join(' '),
      status: 'awaiting_signature',
      match_code: matchCode(hashTypedData(action.payload).digest),
      chain: `eip155:${action.chain_id}`,
      wallet_address: action.wallet_address ?? '',
      task_id: action.task_id ?? '',
      ...(action.node_id === undefined ? {} : { node_id: action.node_id }),
      ...(amount === null ? {} : { amount }),
      signing_url: action.signing_url,
      expires_at: action.expires_at,
      checks_passed: checks.filter(({ status }) => status === 'passed').length,
    };
  }

  private contextWith(reading: ChainReading) {
    return { deployment: this.deployments.pinned, nowMs: this.clock.nowMs(), readings: [reading] };
  }
}

function intentOf({ kind, accountId, wallet, inPath, body }: AskedAction): Intent {
  const taskId = textIn(inPath, 'task_id') ?? (body && textIn(body, 'task_id'));
  const nodeId = textIn(inPath, 'node_id');
  return {
    kind,
    principal: accountId,
    ...(wallet === undefined ? {} : { wallet }),
    ...(taskId === undefined ? {} : { taskId }),
    ...(nodeId === undefined ? {} : { nodeId }),
    ...(body === undefined ? {} : { body }),
  };
}

/** The members of an answer as those of an action. The checks look at each as it came, before anything of this is shown. */
function preparedAction(answer: JsonObject): PreparedAction {
  const text = (name: string): string => textIn(answer, name) ?? '';
  const optional = (name: 'wallet_address' | 'task_id' | 'node_id') => {
    const value = textIn(answer, name);
    return value === undefined ? {} : { [name]: value };
  };
  return {
    action_id: text('action_id'),
    kind: text('kind'),
    principal: text('principal'),
    ...optional('wallet_address'),
    ...optional('task_id'),
    ...optional('node_id'),
    chain_id: Number(answer['chain_id']),
    escrow_address: text('escrow_address'),
    nonce: text('nonce'),
    request_digest: text('request_digest'),
    payload: { ...objectIn(answer, 'payload') },
    signing_url: text('signing_url'),
    expires_at: text('expires_at'),
  };
}

/** What a withdrawal leaves for the next one, as a sentence. */
function leftOf(answer: JsonObject): string[] {
  const remaining = objectIn(answer, 'remaining');
  const [amount, currency] = [textIn(remaining, 'amount'), textIn(remaining, 'currency')];
  return amount === undefined || currency === undefined ? [] : [leftText({ amount, currency })];
}

/** The money of the escrow's own message, or of the payment that stands for it. */
function amountIn(payload: JsonObject): string | null {
  const own = isObject(payload['authorizes']) ? payload['authorizes'] : payload;
  const message = objectIn(own, 'message');
  const units = [objectIn(message, 'terms')['amount'], message['amount'], message['budget'], message['value']].find(
    (value) => typeof value === 'string' && /^[0-9]+$/.test(value),
  );
  return typeof units === 'string' && units !== '0' ? usdcText(BigInt(units)) : null;
}
