# A formula for a tap. `url` and `sha256` are filled in at a release (packaging/RELEASE.md).
class Throng < Formula
  desc "Verifier for programs run by any number of threads"
  homepage "https://example.org/throng"
  url "https://example.org/throng/throng-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args(path: "crates/cli")
    generate_completions_from_executable(bin/"throng", "completions")
    system bin/"throng", "man", "--dir", buildpath
    man1.install Dir[buildpath/"throng*.1"]
  end

  test do
    (testpath/"lock.tts").write("2 2\n0 0 -> 1 1\n1 1 -> 0 0\n")
    assert_match "verdict: safe", shell_output("#{bin}/throng check lock.tts --target '1|1,1'")
  end
end
