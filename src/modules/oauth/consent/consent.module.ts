import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { CredentialsModule } from '../../credentials/credentials.module.js';
import { OAuthModule } from '../oauth.module.js';
import { SignInModule } from '../../sign-in/sign-in.module.js';
import { InteractionConsent } from './interaction-consent.js';
import { InteractionController } from './interaction.controller.js';
import { InteractionRouter } from './interaction-router.js';
import { InteractionPages } from './interaction-pages.js';
import { InteractionSignIn } from './interaction-sign-in.js';
import { Interactions } from './interactions.js';

/** The pages on which a person signs in for an application and decides what it may do. */
@Module({
  imports: [AccountsModule, CredentialsModule, OAuthModule, SignInModule],
  controllers: [InteractionController],
  providers: [InteractionConsent, InteractionRouter, InteractionPages, InteractionSignIn, Interactions],
})
export class ConsentModule {}
