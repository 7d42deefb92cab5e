import { Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { KindInputs, PreparableKind } from './action-kind.js';
import { AbandonNode } from './kinds/abandon-node.js';
import type { PreparedKind } from './prepared-kind.js';

/** The implementation of every preparable kind. One that is missing here does not compile. */
export const KINDS: { readonly [K in PreparableKind]: Type<PreparedKind<KindInputs[K]>> } = {
  abandon_node: AbandonNode,
};

/** Finds the implementation of a kind. */
@Injectable()
export class KindRegistry {
  constructor(private readonly moduleRef: ModuleRef) {}

  /** The implementation of the kind. */
  of<K extends PreparableKind>(kind: K): PreparedKind<KindInputs[K]> {
    return this.moduleRef.get<PreparedKind<KindInputs[K]>>(KINDS[kind]);
  }
}
