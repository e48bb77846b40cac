import { Body, Controller, Injectable, Param, Post, Query } from '@nestjs/common';
import { expect, it } from 'vitest';
import { RouteParamtypes, dtoAt, isController, isInjectable } from './nest-internals.js';

class SampleQuery {}
class SampleBody {}

@Controller('samples')
class SamplesController {
  @Post(':id')
  change(@Param('id') id: string, @Query() query: SampleQuery, @Body() body: SampleBody): unknown[] {
    return [id, query, body];
  }
}

@Injectable()
class SampleService {}

it('distinguishes controllers from injectables by the metadata of the installed Nest', () => {
  expect([SamplesController, SampleService, SampleBody].map(isController)).toEqual([true, false, false]);
  expect([SamplesController, SampleService, SampleBody].map(isInjectable)).toEqual([false, true, false]);
});

it('finds the classes of a handler’s query and body in the metadata of the installed Nest', () => {
  expect(dtoAt(SamplesController, 'change', RouteParamtypes.QUERY)).toBe(SampleQuery);
  expect(dtoAt(SamplesController, 'change', RouteParamtypes.BODY)).toBe(SampleBody);
});
