import { Global, Module } from '@nestjs/common';
import { AncestorReader } from '../../quotes/offer-checks/ancestors.js';
import { NodeAncestors } from './node-ancestors.js';

/** Global, because the module of quotes asks for it and must not import this one. */
@Global()
@Module({ providers: [{ provide: AncestorReader, useClass: NodeAncestors }], exports: [AncestorReader] })
export class AncestorsModule {}
