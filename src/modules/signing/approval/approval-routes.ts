import { Injectable } from '@nestjs/common';
import type { ApprovalPaths } from '#libs/approval-wire';
import type { PreparedActionEntity } from '../../prepared-actions/action/prepared-action.entity.js';
import { DeliveryLinks } from './delivery-links.js';
import { PaymasterLinks } from '../paymaster/paymaster-links.js';

/** Where the script of an action's page finds the routes of its action. */
@Injectable()
export class ApprovalRoutes {
  constructor(
    private readonly deliveries: DeliveryLinks,
    private readonly paymasters: PaymasterLinks,
  ) {}

  /** @param base public path of the link. */
  of(action: PreparedActionEntity, base: string): ApprovalPaths {
    const paymaster = this.paymasters.urlOf(action);
    const at = (route: string): string => `${base}/${route}`;
    return {
      document: at('document'),
      submission: at('submission'),
      decline: at('decline'),
      renew: at('renew'),
      link: at('link'),
      progress: at('progress'),
      simulation: at('simulation'),
      challenge: at('challenge'),
      ...(paymaster === null ? {} : { paymaster }),
      ...(this.deliveries.isFor(action) ? { delivery: at('delivery') } : {}),
    };
  }
}
