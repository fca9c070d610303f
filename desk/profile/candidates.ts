import { join, resolve } from 'node:path';
import {
  ProfileError,
  type Certificado,
  type JsonObject,
  readProfile,
  type BodyFile,
  type Profile,
  type ProfileFile,
} from '../../targets/profile.ts';
import { ArgumentError } from '../../runner/command-line/argument-error.ts';

/** A file that may suit the target, and where it came from. */
export interface Candidate {
  /** Its path, or how it was made of another. */
  readonly from: string;
  readonly bytes: Buffer;
}

/** A request body that may. */
export interface BodyCandidate extends Candidate {
  readonly body: JsonObject;
}

/** A way to upload a certificate that may. */
export interface FormCandidate extends Candidate {
  readonly form: Certificado;
}

/** The profiles in these folders, each once, in that order. Throws an ArgumentError for one that can't be read. */
export function readSources(folders: readonly string[]): Profile[] {
  const places = folders.map((folder) => resolve(folder));
  const unique = folders.filter((_, at) => places.indexOf(places[at] ?? '') === at);
  return unique.map((folder) => {
    try {
      return readProfile(folder);
    } catch (error) {
      throw error instanceof ProfileError ? new ArgumentError(error.message) : error;
    }
  });
}

/** The files of that name in all folders, without those that say the same. */
export function filesIn(sources: readonly Profile[], file: ProfileFile): Candidate[] {
  return withoutDoubles(
    sources.flatMap((source) => {
      const bytes = source.bytes(file);
      return bytes ? [{ from: join(source.folder, file), bytes }] : [];
    }),
  );
}

/** The bodies of that name in all folders. */
export function bodiesIn(sources: readonly Profile[], file: BodyFile): BodyCandidate[] {
  const bodies = sources.flatMap((source) => {
    const [body, bytes] = [source.json(file), source.bytes(file)];
    return body && bytes ? [{ from: join(source.folder, file), bytes, body }] : [];
  });
  return withoutDoubles(bodies);
}

/** The way in which a folder uploads its certificates. */
export function formIn(source: Profile): FormCandidate | undefined {
  const [form, bytes] = [source.certificado, source.bytes('certificado.json')];
  return form && bytes ? { from: join(source.folder, 'certificado.json'), bytes, form } : undefined;
}

/** The bytes of a JSON file that was made. */
export function jsonBytes(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`, 'utf8');
}

/** The candidates, each content once. */
export function withoutDoubles<T extends Candidate>(candidates: readonly T[]): T[] {
  return candidates.filter(({ bytes }, at) => candidates.findIndex((other) => other.bytes.equals(bytes)) === at);
}
