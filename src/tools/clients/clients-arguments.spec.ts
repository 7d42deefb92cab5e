import { parseClientsArguments } from './clients-arguments.js';

const parse = (line: string) => parseClientsArguments(line.split(' ').filter(Boolean));

it.each([
  [
    'create --name App --redirect https://a.example/cb --redirect http://localhost/cb --auth client_secret_basic',
    {
      name: 'create',
      clientName: 'App',
      redirectUris: ['https://a.example/cb', 'http://localhost/cb'],
      authMethod: 'client_secret_basic',
      jwksFile: null,
      isGateway: false,
      isFapi2: false,
    },
  ],
  ['create --name G --gateway --fapi2 --auth private_key_jwt --jwks k.json', { redirectUris: [], jwksFile: 'k.json' }],
  ['create --name Gateway --gateway', { authMethod: 'client_secret_basic', isGateway: true, redirectUris: [] }],
  ['create --name App', { authMethod: 'none' }],
  ['list', { name: 'list' }],
  ['remove client_1', { name: 'remove', clientId: 'client_1' }],
  ['rotate-secret client_1', { name: 'rotate-secret', clientId: 'client_1' }],
  ['grants', { name: 'grants', account: null }],
  ['grants --account Ada', { name: 'grants', account: 'Ada' }],
  ['revoke-grant g1', { name: 'revoke-grant', grantId: 'g1' }],
  // One of 64 grants has an id that begins as an option does.
  ['revoke-grant -g1', { name: 'revoke-grant', grantId: '-g1' }],
  ['revoke-grant --g1 --json', { name: 'revoke-grant', grantId: '--g1' }],
  ['revoke-grant --json -g1', { name: 'revoke-grant', grantId: '-g1' }],
  ['revoke-grant --data-dir x -g-json', { name: 'revoke-grant', grantId: '-g-json' }],
  ['revoke-grant -g-json --json', { name: 'revoke-grant', grantId: '-g-json' }],
  ['revoke-grant -- -g1', { name: 'revoke-grant', grantId: '-g1' }],
  ['rotate-signing-key', { name: 'rotate-signing-key' }],
  ['audit', { name: 'audit', account: null, event: null, limit: 50 }],
  ['audit --account Ada --event consent_given --limit 7', { account: 'Ada', event: 'consent_given', limit: 7 }],
  ['', { name: 'help' }],
  ['list --help', { name: 'help' }],
])('`%s` is understood', (line, command) => {
  expect(parse(line).command).toMatchObject(command);
});

it.each([
  ['destroy', 'no command'],
  ['toString', 'no command'],
  ['create', '--name is missing'],
  ['create --name A --auth client_secret_jwt', '--auth is one of'],
  ['remove', 'needs one CLIENT_ID'],
  ['revoke-grant', 'needs one GRANT_ID'],
  ['revoke-grant a b', 'needs one GRANT_ID'],
  ['revoke-grant -a -b', 'needs one GRANT_ID'],
  ['revoke-grant --json', 'needs one GRANT_ID'],
  ['revoke-grant a --account b', 'takes no --account'],
  ['list --jsn', '--jsn'],
  ['list -j', '-j'],
  ['list x', 'takes no "x"'],
  ['list --account a', 'takes no --account'],
  ['audit --limit 0', '--limit'],
  ['audit --limit 10001', '--limit'],
  ['audit --limit many', 'whole number'],
])('`%s` is refused with a sentence', (line, sentence) => {
  expect(() => parse(line)).toThrow(sentence);
});
