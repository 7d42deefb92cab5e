import { Module } from '@nestjs/common';
import { EventBus } from './event-bus.js';
import { EventBusRunner } from './event-bus.runner.js';

/** Sends events on to a message bus. It is part of the service only where one is configured. */
@Module({ providers: [EventBus, EventBusRunner] })
export class EventBusModule {}
