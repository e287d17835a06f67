class Docent < Formula
  desc "<<.Summary>>"
  homepage "<<.Homepage>>"
  version "<<.Version>>"
  license "<<.License>>"

  on_macos do
    on_arm do
      url "<<.darwinarm64.URL>>"
      sha256 "<<.darwinarm64.SHA256>>"
    end
    on_intel do
      url "<<.darwinamd64.URL>>"
      sha256 "<<.darwinamd64.SHA256>>"
    end
  end

  on_linux do
    on_arm do
      url "<<.linuxarm64.URL>>"
      sha256 "<<.linuxarm64.SHA256>>"
    end
    on_intel do
      url "<<.linuxamd64.URL>>"
      sha256 "<<.linuxamd64.SHA256>>"
    end
  end

  def install
    bin.install "docent"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/docent.bash" => "docent"
    fish_completion.install "completions/docent.fish"
    zsh_completion.install "completions/_docent"
  end

  test do
    (testpath/"docs/keys.md").write "# Keys\n\n## Rotate a key\n\nRun rotate.\n"
    assert_match "docs/keys.md#rotate-a-key", shell_output("#{bin}/docent search rotate a key")
  end
end
