import { randomUUID } from 'node:crypto';
import { nkeys } from '@nats-io/transport-node';

type KeyPair = ReturnType<typeof nkeys.createUser>;

/** A server that knows users by their JWT alone, as hosted ones do, and one user of it. */
export interface OperatorMode {
  /** Lines of the server's configuration. */
  readonly configuration: string;
  /** The text of the user's .creds file. */
  readonly credentials: string;
}

/** Makes an operator, an account with JetStream, and a user who may do everything in it. */
export function operatorMode(): OperatorMode {
  const [operator, account, user] = [nkeys.createOperator(), nkeys.createAccount(), nkeys.createUser()];
  const system = nkeys.createAccount();
  const limits = { subs: -1, data: -1, payload: -1 };
  const ofAccount = {
    ...limits,
    imports: -1,
    exports: -1,
    wildcards: true,
    conn: -1,
    leaf: -1,
    mem_storage: -1,
    disk_storage: -1,
    streams: -1,
    consumer: -1,
  };
  const operatorJwt = jwt(operator, operator, { type: 'operator', version: 2 });
  const accountJwt = jwt(operator, account, { type: 'account', version: 2, limits: ofAccount });
  const systemJwt = jwt(operator, system, { type: 'account', version: 2, limits });
  const userJwt = jwt(account, user, { type: 'user', version: 2, ...limits, pub: {}, sub: {} });
  return {
    configuration: [
      `operator: ${operatorJwt}`,
      'resolver: MEMORY',
      // JetStream does not start without one.
      `system_account: ${system.getPublicKey()}`,
      `resolver_preload: { ${account.getPublicKey()}: ${accountJwt}, ${system.getPublicKey()}: ${systemJwt} }`,
    ].join('\n'),
    credentials:
      `-----BEGIN NATS USER JWT-----\n${userJwt}\n------END NATS USER JWT------\n\n` +
      `-----BEGIN USER NKEY SEED-----\n${Buffer.from(user.getSeed()).toString()}\n------END USER NKEY SEED------\n`,
  };
}

/** A claim about `subject`, signed by `issuer`. */
function jwt(issuer: KeyPair, subject: KeyPair, nats: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    jti: randomUUID(),
    iat: Math.floor(Date.now() / 1000),
    iss: issuer.getPublicKey(),
    name: 'test',
    sub: subject.getPublicKey(),
    nats,
  };
  const signed = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part(claims)}`;
  return `${signed}.${Buffer.from(issuer.sign(Buffer.from(signed))).toString('base64url')}`;
}
