import { Injectable } from '@nestjs/common';
import {
  type ChainReading,
  chainQueries,
  type ChainQuery,
  type Intent,
  type PreparedAction,
  readingFrom,
} from '#libs/prepared-action';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { ChainUnavailableError } from '../../../platform/chain/rpc/chain-unavailable.error.js';
import { ApprovalDeployments } from './approval-deployment.js';

/** What the service's own node of the chain says about an action, for the checks before a signature. */
@Injectable()
export class ServiceReadings {
  constructor(
    private readonly deployments: ApprovalDeployments,
    private readonly chain: ChainClient,
  ) {}

  /** The reading; without members when the chain cannot be reached. */
  async of(action: PreparedAction, intent: Intent): Promise<ChainReading> {
    const asked = { action, intent, deployment: this.deployments.pinned };
    const queries = chainQueries(action, intent, asked.deployment);
    const answers = await Promise.all(queries.map((query) => this.answerTo(query)));
    return readingFrom('service', Object.fromEntries(answers.flat()), asked);
  }

  /** Asks the chain one query. A query without an answer, such as a reverting view, is left out. */
  private async answerTo({ name, method, params }: ChainQuery): Promise<[string, unknown][]> {
    try {
      return [[name, await this.chain.query(method, params)]];
    } catch (error) {
      if (error instanceof ChainUnavailableError) return [];
      throw error;
    }
  }
}
