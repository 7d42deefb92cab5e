import { Global, Module } from '@nestjs/common';
import { AncestorReader } from '../../quotes/offer-checks/ancestors.js';
import { NodeAncestors } from './node-ancestors.js';

/** Global, because the quotes module needs `AncestorReader` and must not import the escrow. */
@Global()
@Module({ providers: [{ provide: AncestorReader, useClass: NodeAncestors }], exports: [AncestorReader] })
export class AncestorsModule {}
