import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Settings } from './settings.js';

/** Inject with `@Inject(SETTINGS_TOKEN) settings: Settings`. */
export const SETTINGS_TOKEN = Symbol('settings');

@Global()
@Module({})
export class SettingsModule {
  static forRoot(settings: Settings): DynamicModule {
    return {
      module: SettingsModule,
      providers: [{ provide: SETTINGS_TOKEN, useValue: settings }],
      exports: [SETTINGS_TOKEN],
    };
  }
}
