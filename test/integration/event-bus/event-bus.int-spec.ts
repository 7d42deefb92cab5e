import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { credsAuthenticator } from '@nats-io/transport-node';
import type { DataSource } from 'typeorm';
import { newId } from '#libs/kernel';
import { AppModule } from '../../../src/app.module.js';
import { EventBus } from '../../../src/modules/event-bus/event-bus.js';
import { EventBusModule } from '../../../src/modules/event-bus/event-bus.module.js';
import { ACCOUNTS_STREAM, KEPT_DAYS, PUBLIC_STREAM } from '../../../src/modules/event-bus/bus-streams.js';
import type { AnyRecordedEvent, Audience } from '../../../src/modules/events/catalogue/event.js';
import { EventSequencer } from '../../../src/modules/events/log/event-sequencer.js';
import { recordEvents } from '../../../src/modules/events/log/record-events.sql.js';
import { eventSchema } from '../../../src/openapi/event-schemas.js';
import type { Environment } from '../../../src/platform/config/environment.js';
import { LISTS, ReadConnections } from '../../../src/platform/database/reads/read-connections.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { Metrics } from '../../../src/platform/metrics/metrics.js';
import { createMigratedDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { ListeningService } from '../../support/listening-service.js';
import { ObservedProcess } from '../../support/market-process.js';
import { operatorMode } from './nats-credentials.js';
import { NATS_TEST_SERVER, NatsServer } from './nats-server.js';
import { testEnvironment } from '../../support/test-environment.js';

const note = NATS_TEST_SERVER === '' ? ' [not run: NATS_TEST_SERVER is not set]' : '';
const describeWithNats = NATS_TEST_SERVER === '' ? describe.skip : describe;

const AT = new Date('2026-11-20T12:00:00.000Z');
const SOURCE = 'https://market.example';
const DAY_NS = 86_400_000_000_000;
/** Transactions of 20 events each that are written at least, however slow the machine is. */
const LEAST = 30;
const { signal } = new AbortController();
/** Nobody hears what is asked, so nobody answers. */
const NOBODY = /no responders|not enabled|timeout/i;

describeWithNats(`the bus${note}`, () => {
  let dataSource: DataSource;
  let url: string;
  let reads: ReadConnections;
  let server: NatsServer;
  const buses: EventBus[] = [];

  beforeAll(async () => {
    ({ dataSource, url } = await createMigratedDatabase());
    reads = new ReadConnections({ databaseUrl: url }, LISTS);
  });
  afterAll(async () => {
    await reads?.onModuleDestroy();
    await dataSource?.destroy();
  });
  afterEach(async () => {
    await Promise.all(buses.splice(0).map((bus) => bus.close()));
    await server?.close();
  });

  function busOf(eventsNatsUrl = server.url, own: Partial<Environment> = {}): EventBus {
    const bus = new EventBus(testEnvironment(url, { eventsNatsUrl, ...own }), reads);
    buses.push(bus);
    return bus;
  }

  function event(audience: Audience, type: 'agent.updated' | 'agent.published' = 'agent.updated'): AnyRecordedEvent {
    return {
      type,
      at: AT,
      subject: { kind: 'agent', id: newId('agent', AT.getTime()) },
      audience,
      data: { updated_at: AT.toISOString() },
    } as unknown as AnyRecordedEvent;
  }

  /** Records events and gives them their place in the log. */
  async function log(...events: AnyRecordedEvent[]): Promise<string[]> {
    const transactions = new Transactions(dataSource);
    const ids = await transactions.run((manager) => recordEvents(manager, events));
    while (await new EventSequencer(transactions).moveNext());
    return ids;
  }

  /** What both streams must hold: the subject and the id of each message in order, by what the log has. */
  async function expected(): Promise<{ everybody: string[]; accounts: string[] }> {
    const rows = await dataSource.query<{ id: string; type: string; reader: string }[]>(
      `SELECT event.id, audience.type, audience.account_id AS reader FROM events event
        JOIN event_audience audience ON audience.sequence = event.sequence
        ORDER BY event.sequence, audience.account_id COLLATE "C"`,
    );
    const isPublic = (row: { reader: string }): boolean => row.reader === 'public';
    return {
      everybody: rows.filter(isPublic).map(({ id, type }) => `tasktree.events.${type} ${id}`),
      accounts: rows
        .filter((row) => !isPublic(row))
        .map(({ id, type, reader }) => `tasktree.accounts.${reader}.${type} ${id}`),
    };
  }

  async function published(options = {}): Promise<{ everybody: string[]; accounts: string[] }> {
    const of = async ({ name }: { name: string }): Promise<string[]> => {
      const stored = await server.stored(name, options);
      return stored.map(({ subject, body }) => `${subject} ${(JSON.parse(body) as { id: string }).id}`);
    };
    return { everybody: await of(PUBLIC_STREAM), accounts: await of(ACCOUNTS_STREAM) };
  }

  it('has every event as a CloudEvent, for everybody or for each account that may read it', async () => {
    server = await NatsServer.start();
    const [forAll, forTwo] = await log(event('public'), event(['acct_b', 'acct_a'], 'agent.published'));
    const bus = busOf();
    await bus.publish(signal);

    expect(bus.firstWaiting).toBeNull();
    expect(await published()).toEqual({
      everybody: [`tasktree.events.agent.updated ${forAll}`],
      accounts: [
        `tasktree.accounts.acct_a.agent.published ${forTwo}`,
        `tasktree.accounts.acct_b.agent.published ${forTwo}`,
      ],
    });
    const [message] = await server.stored(PUBLIC_STREAM.name);
    expect(message!.header('Nats-Msg-Id')).toBe(forAll);
    expect(message!.header('content-type')).toMatch(/^application\/cloudevents\+json\b/);
    const cloudEvent = JSON.parse(message!.body);
    const [row] = await dataSource.query<{ sequence: string }[]>('SELECT sequence FROM events WHERE id = $1', [forAll]);
    expect(cloudEvent).toEqual({
      specversion: '1.0',
      id: forAll,
      source: SOURCE,
      type: 'agent.updated',
      subject: cloudEvent.data.subject.id,
      time: AT.toISOString(),
      datacontenttype: 'application/json',
      dataschema: `${SOURCE}/schemas/events/agent.updated.json`,
      sequence: row!.sequence.padStart(16, '0'),
      data: expect.objectContaining({ id: forAll, sequence: Number(row!.sequence) }),
    });
    // Names of attributes are lower-case letters and digits alone, and none is empty.
    expect(
      Object.entries(cloudEvent).filter(([name, value]) => !/^[a-z0-9]{1,20}$/.test(name) || value === ''),
    ).toEqual([]);
    const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
    expect(eventSchema(document, SOURCE, 'agent.updated')['$id']).toBe(cloudEvent.dataschema);
  });

  it('makes its streams for longer than the log lasts, and accepts those of an operator that lose nothing', async () => {
    server = await NatsServer.start();
    const { jsm } = await server.client();
    const own = { ...PUBLIC_STREAM, subjects: [PUBLIC_STREAM.subject], max_age: 400 * DAY_NS, duplicate_window: 1e9 };
    await jsm.streams.add({ name: own.name, subjects: own.subjects, max_age: own.max_age, duplicate_window: 1e9 });
    await busOf().publish(signal);
    expect((await jsm.streams.info(PUBLIC_STREAM.name)).config).toMatchObject({
      max_age: own.max_age,
      duplicate_window: own.duplicate_window,
    });
    const made = (await jsm.streams.info(ACCOUNTS_STREAM.name)).config;
    expect(made).toMatchObject({
      subjects: ['tasktree.accounts.>'],
      retention: 'limits',
      storage: 'file',
      discard: 'old',
    });
    expect(made).toMatchObject({ max_age: KEPT_DAYS * DAY_NS, max_msgs: -1, max_bytes: -1 });
  });

  it.each([
    [{ max_age: 3_600e9 }, 'max_age must be 98 days or more'],
    [{ max_msgs: 1_000, max_bytes: 1_000_000 }, 'max_msgs must be unlimited; max_bytes must be unlimited'],
    [{ subjects: ['tasktree.events.task.*'] }, 'subjects must be tasktree.events.> alone'],
    [{ retention: 'workqueue' as const }, 'retention must be limits'],
  ])('refuses a stream that would lose events (%j), and leaves it as it is', async (config, fault) => {
    server = await NatsServer.start();
    const { jsm } = await server.client();
    await jsm.streams.add({ name: PUBLIC_STREAM.name, subjects: [PUBLIC_STREAM.subject], ...config });
    const before = (await jsm.streams.info(PUBLIC_STREAM.name)).config;
    await expect(busOf().publish(signal)).rejects.toThrow(fault);
    const after = await jsm.streams.info(PUBLIC_STREAM.name);
    expect(after.config).toEqual(before);
    expect(after.state.messages).toBe(0);
  });

  it('goes no further where another service or somebody else has published', async () => {
    server = await NatsServer.start();
    await log(event('public'));
    await busOf().publish(signal);
    await log(event('public'));
    await expect(busOf(server.url, { baseUrl: 'https://other.example' }).publish(signal)).rejects.toThrow(
      `has events of another service, ${SOURCE}`,
    );
    const { js, jsm } = await server.client();
    await js.publish('tasktree.events.agent.updated', 'not an event');
    await expect(busOf().publish(signal)).rejects.toThrow('somebody else publishes there');
    expect((await jsm.streams.info(PUBLIC_STREAM.name)).state.messages).toBe((await expected()).everybody.length);
    // What is for accounts goes on meanwhile.
    await log(event(['acct_a']));
    const { accounts } = await expected();
    await expect(busOf().publish(signal)).rejects.toThrow('somebody else publishes there');
    expect((await jsm.streams.info(ACCOUNTS_STREAM.name)).state.messages).toBe(accounts.length);
  });

  it('makes a stream anew that was removed, and fills it with everything', async () => {
    server = await NatsServer.start();
    const bus = busOf();
    await log(event('public'), event(['acct_a', 'acct_b']));
    await bus.publish(signal);
    const { jsm } = await server.client();
    await jsm.streams.delete(ACCOUNTS_STREAM.name);
    await log(event(['acct_b']));
    await expect(bus.publish(signal)).rejects.toThrow();
    await bus.publish(signal);
    expect(await published()).toEqual(await expected());
  });

  it('says no secret when a server refuses it, and speaks to none without TLS where that is demanded', async () => {
    server = await NatsServer.start('authorization { user: service, password: right }');
    const failure = async (url: string): Promise<string> =>
      busOf(url)
        .publish(signal)
        .then(() => 'published', String);
    await log(event('public'));
    expect(await failure(`nats://service:hunter2@127.0.0.1:${server.port}`)).toMatch(/^(?!.*hunter2).*authorization/i);
    expect(await failure(`tls://service:hunter2@127.0.0.1:${server.port}`)).toMatch(/^(?!.*hunter2).*tls/i);
    expect(await failure(`nats://service:right@127.0.0.1:${server.port}`)).toBe('published');
  });

  it('signs in with the text of a .creds file', async () => {
    const { configuration, credentials } = operatorMode();
    server = await NatsServer.start(configuration);
    await log(event('public'));
    await expect(busOf().publish(signal)).rejects.toThrow(/authorization/i);
    const bus = busOf(server.url, { eventsNatsCredentials: credentials });
    await bus.publish(signal);
    const authenticator = credsAuthenticator(Buffer.from(credentials));
    expect(await published({ authenticator })).toEqual(await expected());
  });

  it('gives a reader what its account may read, and lets it do nothing else, whatever it asks', async () => {
    server = await NatsServer.start(usersOfTheDocument());
    const bus = busOf(`nats://tasktree:of-the-service@127.0.0.1:${server.port}`);
    await log(event('public'), event(['acct_a']), event(['acct_b']), event(['acct_a', 'acct_b']));
    await bus.publish(signal);
    const operator = { user: 'operator', pass: 'of-the-operator' };
    const { jsm } = await server.client(operator);
    for (const account of ['acct_a', 'acct_b']) {
      const filter_subject = `tasktree.accounts.${account}.>`;
      await jsm.consumers.add(ACCOUNTS_STREAM.name, { durable_name: account, filter_subject, ack_policy: 'explicit' });
    }
    const reader = { user: 'reader-a', pass: 'of-reader-a' };
    const { connection, js, jsm: manager } = await server.client(reader, 'tasktree.api');

    const consumer = await js.consumers.get(ACCOUNTS_STREAM.name, 'acct_a');
    const read: string[] = [];
    for await (const message of await consumer.fetch({ max_messages: 50, expires: 1_000 })) {
      read.push(`${message.subject} ${message.json<{ id: string }>().id}`);
      expect(await message.ackAck()).toBe(true);
    }
    const isOwn = (one: string): boolean => one.startsWith('tasktree.accounts.acct_a.');
    expect(read).toEqual((await expected()).accounts.filter(isOwn));
    expect(await consumer.info()).toMatchObject({ num_ack_pending: 0, num_pending: 0 });

    for (const asked of [
      js.consumers.get(ACCOUNTS_STREAM.name, 'acct_b'),
      js.consumers.get(ACCOUNTS_STREAM.name),
      js.consumers.get(PUBLIC_STREAM.name),
      manager.streams.getMessage(ACCOUNTS_STREAM.name, { seq: 1 }),
      manager.direct.getMessage(ACCOUNTS_STREAM.name, { seq: 1 }),
      manager.consumers.add(ACCOUNTS_STREAM.name, { durable_name: 'acct_a', filter_subject: 'tasktree.accounts.>' }),
      manager.streams.delete(ACCOUNTS_STREAM.name),
      connection.request('tasktree.api.CONSUMER.MSG.NEXT.TASKTREE_ACCOUNTS.acct_b', '1', { timeout: 1_000 }),
      js.publish('tasktree.accounts.acct_b.agent.updated', '{}'),
    ]) {
      await expect(asked).rejects.toThrow(NOBODY);
    }
    // Answers go where the asker wishes. In an account of its own that is nowhere else: without one, they would be stored as
    // events of others.
    await log(event(['acct_a']));
    const heard: string[] = [];
    connection.subscribe('>', { callback: (_, { subject }) => void heard.push(subject) });
    await connection.flush();
    await bus.publish(signal);
    const all = await expected();
    const next = 'tasktree.api.CONSUMER.MSG.NEXT.TASKTREE_ACCOUNTS.acct_a';
    connection.publish(next, '1', { reply: 'tasktree.accounts.acct_b.agent.updated' });
    // Once as it happens, and once by asking.
    await eventually(() => heard.filter(isOwn).length === 2);
    expect(await published(operator)).toEqual(all);
    await log(event(['acct_b']), event('public'));
    await bus.publish(signal);
    expect(await published(operator)).toEqual(await expected());
    await connection.flush();
    expect(heard.filter((subject) => /^tasktree\.(?:events|accounts)\./.test(subject) && !isOwn(subject))).toEqual([]);
  });

  it('holds nothing up while it is away, and has everything when it is back', async () => {
    server = await NatsServer.start();
    await server.kill();
    const service = await ListeningService.listen({ databaseUrl: url, environment: { eventsNatsUrl: server.url } });
    try {
      const lag = async (): Promise<number> => {
        const text = await service.get(Metrics).text();
        return Number(/^event_bus_lag_seconds (\S+)$/m.exec(text)?.[1]);
      };
      const { accountId } = await service.caller(null);
      await eventually(async () => (await lag()) > 0.2);
      await server.run();
      await eventually(async () => (await lag()) === 0);
      await eventually(async () => (await published()).accounts.some((one) => one.includes(accountId)));
      const all = await expected();
      await eventually(async () => (await published()).everybody.length === all.everybody.length);
      expect(await published()).toEqual(await expected());
    } finally {
      await service.close();
    }
  });

  it('loses, doubles and reorders nothing while servers and publishers die, two publish, and nothing is deduplicated', async () => {
    server = await NatsServer.start();
    const { jsm, connection } = await server.client();
    // The shortest there is: whatever is published again after a kill comes later.
    for (const { name, subject } of [PUBLIC_STREAM, ACCOUNTS_STREAM]) {
      await jsm.streams.add({ name, subjects: [subject], duplicate_window: 100e6 });
    }
    await connection.close();
    const written = new AbortController();
    const ended = new AbortController();
    const readers: Audience[] = ['public', ['acct_a'], ['acct_c', 'acct_a', 'acct_b'], 'public', ['acct_b', 'acct_d']];
    const writing = (async () => {
      for (let n = 0; !written.signal.aborted || n < LEAST; n++) {
        await log(...Array.from({ length: 20 }, (_, place) => event(readers[(n + place) % readers.length]!)));
      }
    })();
    const publishing = [busOf(), busOf()].map(async (bus) => {
      while (!ended.signal.aborted) {
        await bus.publish(signal).catch(() => undefined);
        await pause(5);
      }
    });
    const child = (): ObservedProcess =>
      ObservedProcess.node(['test/support/run-typescript.cjs', 'test/integration/event-bus/bus-publisher-process.ts'], {
        BUS_DATABASE_URL: url,
        BUS_NATS_URL: server.url,
      });
    let killed = 0;
    for (let round = 0; round < 2; round++) {
      const one = child();
      await one.says('publishing');
      await pause(150);
      await server.kill();
      await pause(150);
      await server.run();
      await pause(300);
      // A server that is gone ends no publisher.
      expect(one.child.exitCode).toBeNull();
      await one.stop('SIGKILL');
      killed++;
    }
    written.abort();
    await writing;
    await eventually(async () => (await published()).accounts.length >= (await expected()).accounts.length);
    ended.abort();
    await Promise.all(publishing);

    await busOf().publish(signal);
    const all = await expected();
    expect(killed).toBe(2);
    expect(all.everybody.length).toBeGreaterThanOrEqual(LEAST * 8);
    expect(await published()).toEqual(all);
  });
});

it('is no part of a service that has no bus', () => {
  const environment = testEnvironment('postgres://127.0.0.1/none');
  expect(AppModule.register(environment).imports).not.toContain(EventBusModule);
});

/** The users that docs/event-bus.md proposes. */
function usersOfTheDocument(): string {
  const page = readFileSync('docs/event-bus.md', 'utf8');
  const [, text] = /<!-- used by a test: users -->\s+```\w*\n([^]*?)```/.exec(page) ?? [];
  if (text === undefined) throw new Error('docs/event-bus.md has no users');
  return text;
}
