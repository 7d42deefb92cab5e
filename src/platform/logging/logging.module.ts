import { Global, Module } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { ServiceLog } from './service-log.js';

@Global()
@Module({
  providers: [
    {
      provide: ServiceLog,
      inject: [Environment],
      useFactory: ({ logLevel }: Environment) => new ServiceLog(logLevel),
    },
  ],
  exports: [ServiceLog],
})
export class LoggingModule {}
