import { Injectable } from '@nestjs/common';
import { type AccountCall, encodeAccountCalls } from '#libs/contracts';
import { ChainSimulation } from '../../../platform/chain/simulation.js';
import { Environment } from '../../../platform/config/environment.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import type { PreparedActionEntity } from '../../prepared-actions/action/prepared-action.entity.js';
import { ActionHistory } from '../../prepared-actions/lifecycle/action-history.js';
import { ActionsService } from '../../prepared-actions/lifecycle/actions.service.js';
import { waitsFor } from '../pages/approval-copy.js';
import { OperatorPaymaster } from './operator-paymaster.js';
import { callIn, payloadCalls } from './payload-calls.js';
import { noPaymaster } from './paymaster-links.js';
import {
  idOf,
  PaymasterRefusal,
  type PaymasterRequest,
  readPaymasterRequest,
  requirePrice,
} from './paymaster-request.js';

/** An answer of JSON-RPC. */
interface RpcAnswer {
  jsonrpc: '2.0';
  id: string | number | null;
  result?: object;
  error?: { code: number; message: string };
}

/**
 * Has the operator's paymaster pay for the operation that carries out one action, and for nothing else: its sender is the
 * wallet of the action, its call data makes exactly the calls of the action, and it offers a price like the chain's. Call
 * data that is written in another way than `encodeAccountCalls` knows is refused, as it may hide other calls.
 */
@Injectable()
export class SponsoredOperations {
  constructor(
    private readonly environment: Environment,
    private readonly accounts: AccountsService,
    private readonly history: ActionHistory,
    private readonly actions: ActionsService,
    private readonly paymaster: OperatorPaymaster,
    private readonly simulation: ChainSimulation,
  ) {}

  /** @throws ApiError `not_found` once the page of the action sends nothing any more, `service_unavailable`. */
  async answer(action: PreparedActionEntity, body: object): Promise<RpcAnswer> {
    const envelope = { jsonrpc: '2.0', id: idOf(body) } as const;
    const bundles = await this.bundlesOf(action);
    if (bundles.length === 0) throw noPaymaster();
    try {
      const { chainId, paymasterEntryPoints: versions } = this.environment;
      const request = readPaymasterRequest(body, { chainId, versions });
      requireAction(request, action.walletAddress, bundles);
      // A wallet's first question may name no price yet; its paymaster signs for the price of the second.
      if (request.price > 0n) requirePrice(request, await this.simulation.gasPrice());
      return { ...envelope, result: await this.paymaster.ask(request) };
    } catch (error) {
      if (!(error instanceof PaymasterRefusal)) throw error;
      return { ...envelope, error: { code: error.code, message: error.message } };
    }
  }

  /** The calls that the page may have the wallet send now: those that were prepared, or the one that a signature made. */
  private async bundlesOf(action: PreparedActionEntity): Promise<(readonly AccountCall[])[]> {
    const { status } = await this.history.statusOf(action);
    const waits = waitsFor(status, action);
    if (waits === null || (await this.accounts.find(action.accountId)).status !== 'active') return [];
    const signed = waits === 'sending' ? await this.actions.sendable(action, status) : null;
    return [payloadCalls(action), callIn(signed)].filter((bundle) => bundle.length > 0);
  }
}

function requireAction(
  { sender, callData }: PaymasterRequest,
  wallet: string,
  bundles: readonly (readonly AccountCall[])[],
): void {
  const made = callData.toLowerCase();
  const isMeant = bundles.flatMap(encodeAccountCalls).some((form) => form === made);
  if (isMeant && sender.toLowerCase() === wallet.toLowerCase()) return;
  throw new PaymasterRefusal(-32_602, 'The operation is not the one of this action, or cannot be read.');
}
