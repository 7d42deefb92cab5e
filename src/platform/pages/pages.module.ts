import { Global, Module } from '@nestjs/common';
import { AssetsController } from './assets/assets.controller.js';
import { FormTokens } from './form-tokens.js';
import { HomeController } from './home.controller.js';
import { TestWalletController } from './assets/test-wallet.controller.js';

/** What every page with forms needs. */
@Global()
@Module({
  controllers: [HomeController, AssetsController, TestWalletController],
  providers: [FormTokens],
  exports: [FormTokens],
})
export class PagesModule {}
