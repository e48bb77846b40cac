import { Module } from '@nestjs/common';
import { AssetsController } from './assets.controller.js';
import { Cookies } from './cookies.js';

/** What all pages share. */
@Module({ controllers: [AssetsController], providers: [Cookies], exports: [Cookies] })
export class PagesModule {}
