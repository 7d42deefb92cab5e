import { type AgentProfile, checkProfile, checkProfileChange } from './agent-profile.js';

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const profile: AgentProfile = { name: 'Lexica', agentCardUrl: 'https://agents.example/lexica.json' };

describe('an agent profile', () => {
  it("takes the account's wallet when it names none, in EIP-55 form", () => {
    expect(checkProfile(profile, WALLET.toLowerCase())).toEqual({
      name: 'Lexica',
      agentCardUrl: 'https://agents.example/lexica.json',
      capabilities: [],
      description: '',
      walletAddress: WALLET,
    });
  });

  it('is trimmed, without repeated capabilities', () => {
    const checked = checkProfile(
      { ...profile, name: ' Lexica ', capabilities: ['audit', ' audit', 'translate'] },
      WALLET,
    );
    expect(checked.name).toBe('Lexica');
    expect(checked.capabilities).toEqual(['audit', 'translate']);
  });

  it('keeps its name and capabilities on one line, and the lines of its description', () => {
    const checked = checkProfile(
      { ...profile, name: 'Lex\n\tica', capabilities: ['a\nb'], description: 'a\nb' },
      WALLET,
    );
    expect(checked).toMatchObject({ name: 'Lex ica', capabilities: ['a b'], description: 'a\nb' });
  });

  it('has line breaks as \\n, whatever was sent', () => {
    expect(checkProfile({ ...profile, name: 'Lex\r\nica', description: 'a\r\nb\rc' }, WALLET)).toMatchObject({
      name: 'Lex ica',
      description: 'a\nb\nc',
    });
  });

  it('keeps joiners and variation selectors that have a visible effect', () => {
    const texts = { name: 'می\u200cخواهم 👩\u200d💻', capabilities: ['❤\ufe0f'], description: 'क्\u200dष' };
    expect(checkProfile({ ...profile, ...texts }, WALLET)).toMatchObject(texts);
  });

  it('counts characters, not code units', () => {
    expect(checkProfile({ ...profile, name: '😀'.repeat(120) }, WALLET).name).toBe('😀'.repeat(120));
  });

  it.each<[string, Partial<AgentProfile>]>([
    ['an empty name', { name: '' }],
    ['a name of invisible characters only', { name: '\u200b' }],
    ...[
      '\u202e',
      '\u200b',
      '\u200d',
      '\ufe0f',
      '\ufe01',
      '\u2800',
      '\u{16fe4}',
      '\u{1d173}',
      '\u3164',
      '\ufeff',
      '\u2028',
    ].flatMap((hidden): [string, Partial<AgentProfile>][] => [
      [`a name with ${encodeURIComponent(hidden)}`, { name: `Lex${hidden}ica` }],
      [`a capability with ${encodeURIComponent(hidden)}`, { capabilities: ['audit', `au${hidden}dit`] }],
      [`a description with ${encodeURIComponent(hidden)}`, { description: `Au${hidden}dits.` }],
    ]),
    ['a name of 121 characters', { name: 'x'.repeat(121) }],
    ['101 capabilities', { capabilities: Array.from({ length: 101 }, (_, n) => `c${n}`) }],
    ['an empty capability', { capabilities: [''] }],
    ['a capability of 65 characters', { capabilities: ['x'.repeat(65)] }],
    ['a description of 4,001 characters', { description: 'x'.repeat(4_001) }],
    ['a card over plain http', { agentCardUrl: 'http://agents.example/card' }],
    ['a card URL with credentials', { agentCardUrl: 'https://me:secret@agents.example/card' }],
    ['a card URL with a user name alone', { agentCardUrl: 'https://me@agents.example/card' }],
    ['a card URL with a fragment', { agentCardUrl: 'https://agents.example/card#top' }],
    ['a card that is a script', { agentCardUrl: 'javascript:alert(1)' }],
    ['a card URL of 2,049 characters', { agentCardUrl: `https://a.example/${'x'.repeat(2_031)}` }],
    ['a card URL that is too long once it is escaped', { agentCardUrl: `https://a.example/${'ü'.repeat(1_000)}` }],
    ['a card that is no URL', { agentCardUrl: 'card' }],
    ['a wallet that is no address', { walletAddress: '0x12' }],
    ['a wallet whose checksum is wrong', { walletAddress: WALLET.replace('C', 'c') }],
    ['the zero address', { walletAddress: `0x${'0'.repeat(40)}` }],
  ])('with %s is refused', (_, change) => {
    expect(() => checkProfile({ ...profile, ...change }, WALLET)).toThrow(
      expect.objectContaining({ code: 'invalid_body' }),
    );
  });

  it('that changes has only the members that were given', () => {
    expect(checkProfileChange({})).toEqual({});
    expect(checkProfileChange({ name: ' Lexica ', description: '' })).toEqual({ name: 'Lexica', description: '' });
    expect(checkProfileChange({ walletAddress: WALLET.toLowerCase() })).toEqual({ walletAddress: WALLET });
    expect(() => checkProfileChange({ capabilities: [''] })).toThrow(expect.objectContaining({ code: 'invalid_body' }));
  });

  it('without any wallet is refused', () => {
    expect(() => checkProfile(profile, null)).toThrow(expect.objectContaining({ code: 'wallet_mismatch' }));
  });
});
