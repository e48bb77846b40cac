import { expect, it, vi } from 'vitest';
import { AttemptsService } from './attempts.service.js';

const fails = (): never => {
  throw new Error('No such key.');
};

it('returns the permit when the request cannot be signed', async () => {
  const permit = { kind: 'permit', end: vi.fn<(end: string) => void>() };
  const service = new AttemptsService(
    { obstacleTo: () => null, sign: fails } as never,
    { acquire: () => Promise.resolve(permit) } as never,
    {} as never,
  );

  await expect(service.attempt({} as never)).rejects.toThrow('No such key.');

  expect(permit.end).toHaveBeenCalledExactlyOnceWith('abandoned');
});
