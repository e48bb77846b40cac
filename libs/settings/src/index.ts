export { InvalidSettings, SETTINGS, type SealingKey, type Settings, readSettings } from './settings.js';
