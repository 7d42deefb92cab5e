import { Reflector } from '@nestjs/core';

/**
 * Opens a route to callers without a credential. The reason is for the reader and the route table; a route with
 * neither this nor a required scope does not boot.
 */
export const Public = Reflector.createDecorator<string>();
