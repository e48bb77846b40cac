export { type RedisClient, type RedisPlace, type RedisUse, connectRedis } from './connect-redis.js';
export { isRefusedByRedis, tellRefusal, tellUncounted } from './refusals.js';
export { requestsKey } from './requests-key.js';
