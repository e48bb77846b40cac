import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { DownloadPasses } from './download-pass.js';
import { Links } from './links.js';

@Global()
@Module({})
export class PayloadsModule {
  /** Without passes for downloads, where nothing is asked for over HTTP. */
  static at(publicUrl: string, passes?: DownloadPasses): DynamicModule {
    return {
      module: PayloadsModule,
      providers: [{ provide: Links, useValue: new Links(publicUrl, passes) }],
      exports: [Links],
    };
  }
}
