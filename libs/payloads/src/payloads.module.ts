import { type DynamicModule, type FactoryProvider, Global, Module } from '@nestjs/common';
import { DownloadTokens } from './download-tokens.js';
import { Links } from './links.js';

type Factory<T> = Pick<FactoryProvider<T>, 'inject' | 'useFactory'>;

@Global()
@Module({})
export class PayloadsModule {
  static forRoot(
    publicUrl: string,
    downloadTokens: Factory<DownloadTokens | undefined> = { useFactory: () => undefined },
  ): DynamicModule {
    return {
      module: PayloadsModule,
      providers: [
        { provide: DownloadTokens, ...downloadTokens },
        {
          provide: Links,
          inject: [DownloadTokens],
          useFactory: (tokens?: DownloadTokens) => new Links(publicUrl, tokens),
        },
      ],
      exports: [Links],
    };
  }
}
