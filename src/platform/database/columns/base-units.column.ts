import type { ValueTransformer } from 'typeorm';

/** USDC base units (6 decimals): `bigint` in the program, `numeric(78,0)` in Postgres, never a float. */
const transformer: ValueTransformer = {
  to: (value: bigint | null | undefined): string | null | undefined =>
    value === null || value === undefined ? value : value.toString(),
  from: (value: string | null): bigint | null => (value === null ? null : BigInt(value)),
};

/** Column options of every money column and of every other integer that may exceed 53 bits. */
export const baseUnits = { type: 'numeric', precision: 78, scale: 0, transformer } as const;
