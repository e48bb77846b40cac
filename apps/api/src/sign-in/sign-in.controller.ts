import { Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../http/access.decorator.js';
import type { PageResponse } from '../pages/page-response.js';
import { HtmlPages } from '../pages/html-pages.decorator.js';
import { PasswordResetService } from './password-reset.service.js';
import { SignInService } from './sign-in.service.js';

@Controller()
@Public()
@HtmlPages()
export class SignInController {
  constructor(
    private readonly signIns: SignInService,
    private readonly passwords: PasswordResetService,
  ) {}

  @Get('sign-in')
  show(@Req() request: FastifyRequest): Promise<PageResponse> {
    return this.signIns.show(request);
  }

  @Post('sign-in')
  signIn(@Req() request: FastifyRequest): Promise<PageResponse> {
    return this.signIns.tryPassword(request);
  }

  @Post('sign-in/account')
  chooseAccount(@Req() request: FastifyRequest): Promise<PageResponse> {
    return this.signIns.chooseAccount(request);
  }

  @Post('sign-out')
  signOut(@Req() request: FastifyRequest, @Query('return_to') returnTo: unknown): Promise<PageResponse> {
    return this.signIns.signOut(request, returnTo);
  }

  @Get('forgot-password')
  showForgotten(@Req() request: FastifyRequest): PageResponse {
    return this.passwords.showForgotten(request);
  }

  @Post('forgot-password')
  sendLink(@Req() request: FastifyRequest): Promise<PageResponse> {
    return this.passwords.sendLink(request);
  }

  @Get('set-password/:token')
  showSetPassword(@Req() request: FastifyRequest, @Param('token') token: string): Promise<PageResponse> {
    return this.passwords.showSetPassword(request, token);
  }

  @Post('set-password/:token')
  setPassword(@Req() request: FastifyRequest, @Param('token') token: string): Promise<PageResponse> {
    return this.passwords.setPassword(request, token);
  }
}
