import { Global, Module } from '@nestjs/common';
import { Cursors } from './cursor.js';

@Global()
@Module({ providers: [Cursors], exports: [Cursors] })
export class PaginationModule {}
