import { Module } from '@nestjs/common';
import { EventFeedService } from './event-feed.service.js';
import { EventsController } from './events.controller.js';

@Module({ controllers: [EventsController], providers: [EventFeedService] })
export class EventFeedModule {}
