import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { EventsController } from './events.controller.js';
import { EventFeedService } from './reading/event-feed.service.js';
import { EventStreamSettings } from './stream/event-stream.settings.js';
import { EventStreams } from './stream/event-streams.js';
import { EventTail } from './stream/event-tail.js';

@Module({
  imports: [CredentialsModule],
  controllers: [EventsController],
  providers: [EventFeedService, EventStreams, EventStreamSettings, EventTail],
  exports: [EventTail],
})
export class EventFeedModule {}
