import type { EarningsDto } from '../../src/modules/earnings/dto/earnings.dto.js';
import type { EarningsService } from '../../src/modules/earnings/earnings.service.js';

/** What the service says that an account has earned. */
export async function earnedOf(earnings: EarningsService, accountId: string): Promise<EarningsDto> {
  return JSON.parse((await earnings.get(accountId)).text) as EarningsDto;
}
