import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { DownloadTokens } from './download-tokens.js';
import { Links } from './links.js';

@Global()
@Module({})
export class PayloadsModule {
  /** Without passes for downloads, where nothing is asked for over HTTP. */
  static forRoot(publicUrl: string, downloadTokens?: DownloadTokens): DynamicModule {
    return {
      module: PayloadsModule,
      providers: [{ provide: Links, useValue: new Links(publicUrl, downloadTokens) }],
      exports: [Links],
    };
  }
}
