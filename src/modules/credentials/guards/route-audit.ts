import { type CanActivate, Injectable, type OnModuleInit } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { Public } from '../../../platform/http/public-route.decorator.js';
import { RequiredScope } from '../scope.js';

/** Refuses to start when a route does not say who may call it: exactly one of a required scope and `@Public`. */
@Injectable()
export class RouteAudit implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
  ) {}

  /** @throws Error that names every route at fault. */
  onModuleInit(): void {
    const faults = this.routes().filter(({ handler, controller }) => {
      const targets = [handler, controller];
      const scope = this.reflector.getAllAndOverride(RequiredScope, targets);
      const open = this.reflector.getAllAndOverride(Public, targets);
      return (scope === undefined) === (open === undefined);
    });
    if (faults.length === 0) return;
    const names = faults.map(({ name }) => name).join(', ');
    throw new Error(`Each route needs either @RequireScope or @Public, and not both: ${names}`);
  }

  private routes() {
    const scanner = new MetadataScanner();
    return this.discovery.getControllers().flatMap(({ metatype }) => {
      if (typeof metatype !== 'function') return [];
      const prototype: Record<string, unknown> = metatype.prototype;
      return scanner.getAllMethodNames(prototype).flatMap((method) => {
        const handler = prototype[method];
        if (!isHandler(handler) || !Reflect.hasMetadata(PATH_METADATA, handler)) return [];
        return [{ name: `${metatype.name}.${method}`, handler, controller: metatype }];
      });
    });
  }
}

function isHandler(value: unknown): value is CanActivate['canActivate'] {
  return typeof value === 'function';
}
