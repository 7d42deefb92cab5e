/** API keys of this service, wherever in a text (docs/decisions/http.md#api-keys). */
const API_KEY = /\bmkt_(live|test)_([rbwo])_[0-9A-Za-z]+/g;
/** Links that work without another credential: what follows the path is the secret. */
const LINK_TOKEN = /\/(sign|paymaster|previews|artifacts)\/[A-Za-z0-9_.~%-]+/g;
const BEARER = /\b(Bearer|DPoP) +[A-Za-z0-9._~+/-]+=*/gi;
/** The password in a URL such as that of the database. */
const URL_PASSWORD = /\b([a-z][a-z0-9+.-]*:\/\/[^\s:/@]*):[^\s/@]+@/gi;

/** Members of log records that are never written, at the top or one level down. */
const SECRET_MEMBERS = [
  'authorization',
  'cookie',
  'dpop',
  'code',
  'code_verifier',
  'refresh_token',
  'client_secret',
  'signing_url',
  'signature',
  'appSecret',
  'appSecretPrevious',
  'databaseUrl',
  'eventsNatsCredentials',
  'eventsNatsToken',
  'eventsNatsUrl',
  'paymasterContext',
  'paymasterUrl',
  'redisUrl',
  'rpcUrl',
  'parameters',
  '["x-api-key"]',
  '["set-cookie"]',
  '["idempotency-key"]',
];

/** Values of a statement that failed, which TypeORM and the driver keep on the error. */
const STATEMENT_VALUES = ['err.parameters', 'err.driverError.parameters'];

/** Paths for pino's redaction. `code` is left alone at the top, where it is an error's. */
export const SECRET_PATHS: readonly string[] = SECRET_MEMBERS.flatMap((member) => {
  const nested = ['req.headers', 'headers', 'body'].map((parent) =>
    member.startsWith('[') ? `${parent}${member}` : `${parent}.${member}`,
  );
  return member === 'code' ? nested : [member, ...nested];
}).concat(STATEMENT_VALUES);

/** A finished log line without secrets that a message, a URL or a stack may carry. */
export function redactSecrets(line: string): string {
  return line
    .replace(API_KEY, 'mkt_$1_$2_[redacted]')
    .replace(LINK_TOKEN, '/$1/[redacted]')
    .replace(BEARER, '$1 [redacted]')
    .replace(URL_PASSWORD, '$1:[redacted]@');
}
