import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Links } from './links.js';

@Global()
@Module({})
export class PayloadsModule {
  static at(publicUrl: string): DynamicModule {
    return {
      module: PayloadsModule,
      providers: [{ provide: Links, useValue: new Links(publicUrl) }],
      exports: [Links],
    };
  }
}
