import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { Sealer } from '../../../platform/secrets/sealer.js';
import { Clock } from '../../../platform/time/clock.js';
import { mintTaggedToken } from '../../credentials/credential-tags.js';
import { CredentialChanges } from '../../accounts/credential-changes.js';
import { Provider } from '../protocol/oidc-provider.js';
import { OAuthRecords } from '../storage/oauth-adapter.js';
import { OAuthAudit } from './oauth-audit.js';
import { OAuthConfiguration } from './oauth-configuration.js';
import { ClientLookUp } from '../registration/client-look-up.js';
import { ClientRules } from '../registration/client-rules.js';
import { type SigningKeySet, SigningKeys, SIGNING_KEYS_CHANGED } from '../storage/signing-keys.js';

/**
 * Longest time between two checks of the keys. It is shorter than the time for which a new key is published before it
 * signs, so that every process knows the key in time even without a notification.
 */
const LONGEST_WAIT_MS = 300_000;
const RETRY_MS = 1_000;

/** An instance of the library, its request handler, which is made once, and the keys that it has, the signing one first. */
interface Serving {
  readonly keys: SigningKeySet['keys'];
  readonly provider: Provider;
  readonly answer: ReturnType<Provider['callback']>;
}

/**
 * Owns the library's instance. An instance cannot change its keys, so a new key set needs a new instance; running
 * requests finish with the instance they began with.
 */
@Injectable()
export class OAuthProvider implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('oauth');
  private serving: Serving | null = null;
  private published = '';
  private timer: NodeJS.Timeout | undefined;
  private reloading: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly environment: Environment,
    private readonly keys: SigningKeys,
    private readonly configuration: OAuthConfiguration,
    private readonly clients: ClientRules,
    private readonly lookUp: ClientLookUp,
    private readonly records: OAuthRecords,
    private readonly audit: OAuthAudit,
    private readonly clock: Clock,
    private readonly changes: CredentialChanges,
    private readonly sealer: Sealer,
  ) {
    // A null id means that changes may have been missed.
    changes.onChange((id) => {
      if (id === SIGNING_KEYS_CHANGED || id === null) this.reloadSoon();
    });
  }

  /** The instance with the current keys. */
  get current(): Provider {
    return this.started.provider;
  }

  /** The key that signs now. */
  get signingKey(): SigningKeySet['keys'][0] {
    return this.started.keys[0];
  }

  /** Answers a request for one of the library's paths; any other path gets 404. */
  answer(request: Request, response: Response): Promise<void> {
    return this.started.answer(request, response);
  }

  async onModuleInit(): Promise<void> {
    await this.load();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.reloading;
  }

  private get started(): Serving {
    if (this.serving === null) throw new Error('The authorization server has not been started');
    return this.serving;
  }

  /** Makes a new instance if the published keys have changed. */
  private async load(): Promise<void> {
    // While notifications do not arrive, changes are found by checking again after RETRY_MS.
    const isHeard = this.changes.isListening;
    const set = await this.keys.current();
    const published = set.keys.map(({ kid }) => kid).join(' ');
    if (published !== this.published) {
      const provider = this.make(set);
      this.serving = { keys: set.keys, provider, answer: provider.callback() };
      this.published = published;
    }
    const untilChange = (set.changesAt?.getTime() ?? Number.POSITIVE_INFINITY) - this.clock.wallMs();
    this.lookAgain(isHeard ? untilChange : RETRY_MS);
  }

  /**
   * Makes the library issue tagged tokens, which the service recognises without a look-up. They have the length and
   * alphabet of the library's own.
   */
  private tagIds(prototype: object): void {
    const generate: unknown = Reflect.get(prototype, 'generateTokenId');
    if (typeof generate !== 'function') throw new Error('The library does not make ids of tokens as it did');
    const { sealer } = this;
    Reflect.set(prototype, 'generateTokenId', function (this: object) {
      // Called because it also sets the token's format.
      generate.call(this);
      return mintTaggedToken(sealer);
    });
  }

  private reloadSoon(): void {
    if (this.stopped || this.serving === null) return;
    this.reloading = this.reloading
      .then(() => this.load())
      .catch((error: unknown) => {
        this.logger.warn(`The signing keys stay as they were for now: ${String(error)}`);
        this.lookAgain(RETRY_MS);
      });
  }

  private lookAgain(inMs: number): void {
    clearTimeout(this.timer);
    if (this.stopped) return;
    this.timer = setTimeout(() => this.reloadSoon(), Math.min(Math.max(inMs, 0) + 1, LONGEST_WAIT_MS)).unref();
  }

  private make({ keys }: SigningKeySet): Provider {
    const provider = new Provider(this.environment.baseUrl, this.configuration.with(keys.map((key) => ({ ...key }))));
    // The library may trust forwarded headers, because public-origin.ts has set them to the base URL.
    provider.proxy = true;
    this.clients.install(provider.Client, (...hashes) => this.records.renewSecret(...hashes));
    this.lookUp.install(provider.Client);
    for (const { prototype } of [provider.AccessToken, provider.RefreshToken, provider.AuthorizationCode]) {
      this.tagIds(prototype);
    }
    this.audit.listen(provider);
    return provider;
  }
}
