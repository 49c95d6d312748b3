#!/usr/bin/env bash
# Makes target/gpuflow-VERSION-linux-x86_64.tar.gz: launcher, Java runtime, jars, rules, workflows, examples, archived classes.
# Usage: pack.sh VERSION JAR. Java for the runtime: GPUFLOW_RUNTIME_JDK, JAVA_HOME when it is 25 or newer, an installed
# Temurin 25, else the JDK that builds. Temurin needs glibc 2.17 only; a distribution's JDK needs that distribution's glibc.
set -euo pipefail
version=$1 jar=$2
root=$(cd "$(dirname "$0")/../.." && pwd -P)
target=$root/target
name=gpuflow-$version
stage=$target/pack/$name

feature() { "$1/bin/java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.specification.version = //p'; }
pick_jdk() {
  local jdk
  for jdk in "${GPUFLOW_RUNTIME_JDK-}" "${JAVA_HOME-}" /usr/lib/jvm/temurin-25* /opt/java/temurin-25* /opt/jdk-25*; do
    [ -n "$jdk" ] && [ -x "$jdk/bin/jlink" ] || continue
    if [ "$jdk" = "${GPUFLOW_RUNTIME_JDK-}" ] || [ "$(feature "$jdk")" -ge 25 ] 2>/dev/null; then echo "$jdk"; return; fi
  done
  jdk=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
  echo "$jdk"
}
jdk=$(pick_jdk)
java_feature=$(feature "$jdk")
echo "pack: runtime from Java $java_feature"

rm -rf "$target/pack"
mkdir -p "$stage/lib"

# Of java.desktop Drools needs java.beans only. The rest, a third of the runtime, is left out but for one file a package,
# without which the module would not be whole.
work=$target/pack/desktop
"$jdk/bin/jimage" extract --include 'regex:/java.desktop/.*' --dir "$work" "$jdk/lib/modules"
(cd "$work" && find java.desktop -type f -printf '%h %s %p\n') |
  awk '$1 !~ /^java.desktop(\/(com\/sun|java)\/beans(\/.*)?)?$/ { print ($3 ~ /\.class$/ ? 0 : 1), $1, $2, $3 }' |
  sort -k2,2 -k1,1n -k3,3n | awk '$2 == last { print "/" $4 } { last = $2 }' >"$target/pack/left-out"
rm -rf "$work"
# jdk.unsupported: Unsafe of the zstd reader. No compression: the tar compresses better.
"$jdk/bin/jlink" --add-modules java.base,java.compiler,java.desktop,java.logging,java.management,java.naming,java.sql,java.xml,jdk.unsupported,jdk.crypto.ec \
  --strip-debug --no-header-files --no-man-pages --compress=$([ "$java_feature" -ge 21 ] && echo zip-0 || echo 0) \
  --exclude-resources=@"$target/pack/left-out" --output "$stage/runtime"
rm -f "$target/pack/left-out"
# What draws, prints and plays is never loaded.
for lib in fontmanager awt awt_xawt awt_headless freetype mlib_image lcms splashscreen javajpeg jsound jawt; do
  rm -f "$stage/runtime/lib/lib$lib.so"
done
if [ "$java_feature" -lt 19 ]; then "$stage/runtime/bin/java" -Xshare:dump >/dev/null 2>&1 || true; fi

cp "$jar" "$stage/lib/gpuflow.jar"
cp "$target"/lib/*.jar "$stage/lib/"
# Classes of jars compiled for Java 5 are left out of the archive of classes, so these are compiled anew from their sources.
recompile() {
  local lib=$1 sources=$2 work=$target/pack/recompile
  [ -r "$sources" ] || { echo "pack: no sources of $(basename "$lib"); taken as it is" >&2; return 0; }
  rm -rf "$work" && mkdir -p "$work/src" "$work/classes"
  (cd "$work/src" && "$jdk/bin/jar" xf "$sources" && rm -rf module-info.java META-INF/versions && find . -name DOTTreeGenerator.java -delete)
  find "$work/src" -name '*.java' >"$work/files"
  "$jdk/bin/javac" --release 17 -proc:none -nowarn -Xlint:none -encoding UTF-8 -d "$work/classes" "@$work/files" 2>"$work/errors" ||
    { cat "$work/errors" >&2; return 1; }
  "$jdk/bin/jar" --create --file "$lib" -C "$work/classes" .
}

for lib in "$stage"/lib/picocli-*.jar "$stage"/lib/antlr-runtime-*.jar; do
  recompile "$lib" "$target/sources/$(basename "$lib" .jar)-sources.jar"
done
# Jars are stored, not compressed: the whole compresses better as one, and starts faster. Signatures go too, for classes of
# signed jars are not archived (Maven has checked the downloads).
store() {
  local lib=$1 work=$target/pack/store
  rm -rf "$work" && mkdir -p "$work"
  (cd "$work" && "$jdk/bin/jar" xf "$lib" && rm -f META-INF/*.SF META-INF/*.RSA META-INF/*.DSA)
  if [ -f "$work/META-INF/MANIFEST.MF" ]; then
    # A sealed package of an archived class stops the virtual machine: its classes come from two places.
    sed -i '/^\r\?$/,$d; /^Sealed:/Id' "$work/META-INF/MANIFEST.MF" && echo >>"$work/META-INF/MANIFEST.MF"
    mv "$work/META-INF/MANIFEST.MF" "$target/pack/manifest"
    "$jdk/bin/jar" --create --no-compress --file "$lib" --manifest "$target/pack/manifest" -C "$work" .
  else
    "$jdk/bin/jar" --create --no-compress --file "$lib" -C "$work" .
  fi
}
for lib in "$stage"/lib/*.jar; do store "$lib"; done
rm -rf "$target/pack/recompile" "$target/pack/store" "$target/pack/manifest"

(cd "$stage/lib" && { echo gpuflow.jar; ls *.jar | grep -v '^gpuflow.jar$' | sort; } | paste -sd: >classpath)
cp "$root/gpuflow" "$root/LICENSE" "$root/README.md" "$root/CHANGELOG.md" "$stage/"
for folder in rules workflows examples engine/python; do
  [ -d "$root/$folder" ] && mkdir -p "$stage/$folder" && cp -r "$root/$folder/." "$stage/$folder/"
done

"$stage/gpuflow" --version >"$target/pack/version.txt"
"$stage/gpuflow" --help >"$target/pack/help.txt"
mv "$target/pack/version.txt" "$target/pack/help.txt" "$stage/lib/"

# Classes that users' commands load are archived by running such commands once.
if [ "$java_feature" -ge 25 ]; then
  for archive in facts diagnose gpuflow; do
    "$root/engine/pack/archive.sh" "$stage" "$archive" >"$target/pack/$archive.log" 2>&1 ||
      { cat "$target/pack/$archive.log" >&2; echo "pack: no class archive $archive made; start-up will be slower" >&2; rm -f "$stage/lib/$archive.aot"; }
  done
fi

chmod -R a+rX,go-w "$stage"
archive=$target/$name-linux-x86_64.tar.gz
tar -C "$target/pack" --sort=name --owner=0 --group=0 --numeric-owner -cf - "$name" | gzip -9 >"$archive"
size=$(stat -c %s "$archive")
echo "pack: $archive, $((size / 1000000)) MB"
[ "$size" -le 64000000 ] || { echo "pack: over 64 MB" >&2; exit 1; }
