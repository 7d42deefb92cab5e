import { Global, Module } from '@nestjs/common';
import { DomainEvents } from './domain-events.js';
import { EventLogSweeper } from './retention/event-log.sweeper.js';
import { EventSequencer } from './log/event-sequencer.js';
import { EventSequencerRunner } from './log/event-sequencer.runner.js';

@Global()
@Module({
  providers: [DomainEvents, EventSequencer, EventSequencerRunner, EventLogSweeper],
  exports: [DomainEvents],
})
export class EventsModule {}
