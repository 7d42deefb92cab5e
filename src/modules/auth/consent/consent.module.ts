import { Module } from '@nestjs/common';
import { AuthModule } from '../auth.module.js';
import { OAuthModule } from '../oauth/oauth.module.js';
import { SignInModule } from '../wallet-sign-in/sign-in.module.js';
import { InteractionConsent } from './interaction-consent.js';
import { InteractionController } from './interaction.controller.js';
import { InteractionEntrance } from './interaction-entrance.js';
import { InteractionPages } from './interaction-pages.js';
import { InteractionSignIn } from './interaction-sign-in.js';
import { Interactions } from './interactions.js';

/** The pages on which a person signs in for an application and decides what it may do. */
@Module({
  imports: [AuthModule, OAuthModule, SignInModule],
  controllers: [InteractionController],
  providers: [InteractionConsent, InteractionEntrance, InteractionPages, InteractionSignIn, Interactions],
})
export class ConsentModule {}
