import { Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { PreparableKind } from './action-kind.js';
import { AbandonNode } from './kinds/abandon-node.js';
import type { PreparedKind } from './prepared-kind.js';

/** The implementation of every preparable kind. One that is missing here does not compile. */
export const KINDS: Readonly<Record<PreparableKind, Type<PreparedKind>>> = {
  abandon_node: AbandonNode,
};

/** Finds the implementation of a kind. */
@Injectable()
export class KindRegistry {
  constructor(private readonly moduleRef: ModuleRef) {}

  /** The implementation of the kind. */
  of(kind: PreparableKind): PreparedKind {
    return this.moduleRef.get(KINDS[kind]);
  }
}
