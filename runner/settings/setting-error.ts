/** A setting that is malformed, unknown or at odds with another: one line that names it and says what it takes. Carries no value of a setting. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}
