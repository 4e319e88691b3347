package dataset
import ("testing";"os")
func TestZZ(t *testing.T){ p:=os.Getenv("CSV"); if p=="" {t.Skip()}; for range 4 { if _,err:=Read(p, Options{}); err!=nil {t.Fatal(err)} } }
