import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  type ActionFields,
  checksumAddress,
  type ContractCall,
  contractCall,
  encodeSelectAgent,
  escrowTypedData,
  senderAuth,
} from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { nodeTerms, workerAuth } from '../../quotes/quote/quote-typed-data.js';
import { QuoteEntity } from '../../quotes/quote/quote.entity.js';
import { TaskStore } from '../../tasks/task-store.js';
import type { TaskEntity } from '../../tasks/task/task.entity.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { ReadyAction } from '../action/prepared-kind.js';
import { actionFieldsOf, messageOf } from '../payload/typed-message.js';
import { type KeptCreation, TreeTransaction } from './tree-transaction.js';

/** What a selection lets a wallet sign, and the calls that take it to the chain. */
@Injectable()
export class SelectionCalls {
  constructor(
    private readonly transactions: Transactions,
    private readonly tasks: TaskStore,
    private readonly bundle: TreeTransaction,
    private readonly chain: ChainClient,
    private readonly config: ChainConfig,
  ) {}

  /** Starts to read what `ready` wants to know beside the task. */
  creationAhead(taskId: string): KeptCreation {
    return this.bundle.creationAhead(taskId);
  }

  /**
   * What the buyer signs or sends to take a quote; the escrow is deployed first where it is missing.
   * @throws ChainUnavailableError.
   */
  async ready(task: TaskEntity, quote: QuoteEntity, creation: KeptCreation): Promise<ReadyAction> {
    const escrowAddress = checksumAddress(task.escrowAddress);
    const [code, createTree] = await Promise.all([
      this.chain.codeAt(escrowAddress, 'latest'),
      this.bundle.carrying(task, [], creation),
    ]);
    const direct = (fields: ActionFields): ContractCall => selectCall(escrowAddress, quote, fields);
    const { chainId, usdcAddress: token } = this.config;
    return {
      typedData: (fields) =>
        escrowTypedData('SelectAgent', { chainId, escrowAddress }, { terms: nodeTerms(quote), token, ...fields }),
      directCalls: (fields) => (code === '0x' ? [createTree, direct(fields)] : [direct(fields)]),
    };
  }

  /** The call of a signed selection. @throws ChainUnavailableError. */
  async signed(action: PreparedActionEntity, signature: Hex): Promise<ContractCall> {
    const { manager } = this.transactions;
    const quote = await quoteOf(manager, action);
    const task = await this.tasks.load(manager, quote.taskId);
    if (!task) throw new Error(`Task ${quote.taskId} has a quote and no row`);
    const auth = { ...actionFieldsOf(messageOf(action.payload)), signature };
    return this.bundle.carrying(task, [encodeSelectAgent(nodeTerms(quote), auth, workerAuth(quote))]);
  }
}

/** The call by which the buyer's wallet itself takes a quote. */
export function selectCall(escrow: Hex, quote: QuoteEntity, fields: ActionFields): ContractCall {
  return contractCall(escrow, encodeSelectAgent(nodeTerms(quote), senderAuth(fields), workerAuth(quote)));
}

/** The id of the quote that a selection takes. */
export function quoteIdOf({ details }: PreparedActionEntity): string {
  return String(details['quote_id']);
}

/** The quote that a selection takes. @throws EntityNotFoundError. */
export function quoteOf(manager: EntityManager, action: PreparedActionEntity): Promise<QuoteEntity> {
  return manager.findOneByOrFail(QuoteEntity, { id: quoteIdOf(action) });
}
