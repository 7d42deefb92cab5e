import { Test, type TestingModule } from '@nestjs/testing';
import { AppModule } from '../../src/app.module.js';
import type { Environment } from '../../src/platform/config/environment.js';
import { Clock } from '../../src/platform/time/clock.js';
import { SteppingClock } from './stepping-clock.js';
import { testEnvironment } from './test-environment.js';

/** The whole service without listeners, on the spec's own database and chain. The index advances only when told to. */
export class IntentsApp {
  readonly clock: SteppingClock;

  private constructor(
    private readonly testing: TestingModule,
    clock: SteppingClock,
  ) {
    this.clock = clock;
  }

  static async open(databaseUrl: string, own: Partial<Environment>): Promise<IntentsApp> {
    const clock = new SteppingClock();
    const environment = testEnvironment(databaseUrl, { indexerEnabled: false, ...own });
    const testing = await Test.createTestingModule({ imports: [AppModule.register(environment)] })
      .overrideProvider(Clock)
      .useValue(clock)
      .setLogger({ log() {}, warn() {}, error() {} })
      .compile();
    return new IntentsApp(await testing.init(), clock);
  }

  get<T>(type: abstract new (...args: any[]) => T): T {
    return this.testing.get<T>(type, { strict: false });
  }

  close(): Promise<void> {
    return this.testing.close();
  }
}
