import { Module } from '@nestjs/common';
import { AssetsController } from './assets.controller.js';
import { Cookies } from './cookies.js';
import { SignedCookies } from './signed-cookies.js';

/** What all pages share. */
@Module({ controllers: [AssetsController], providers: [Cookies, SignedCookies], exports: [Cookies, SignedCookies] })
export class PagesModule {}
